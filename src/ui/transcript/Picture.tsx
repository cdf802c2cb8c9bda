import { useContext, useState } from 'react';
import type { ImagePart } from '../../core/trace/model';
import { bytes } from '../shared/format';
import { PicturesContext } from './PicturesOf';
import { imageUrl } from './record-images';

/** An image of the trace as a picture of limited size, a click shows it whole; its facts where the trace holds no data. */
export function Picture({ part }: { part: ImagePart }) {
  const image = useContext(PicturesContext).get(part);
  const [whole, setWhole] = useState(false);
  const [broken, setBroken] = useState(false);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const width = part.width ?? size?.width;
  const height = part.height ?? size?.height;
  const facts = [image?.mime ?? part.mime, width !== undefined && height !== undefined ? `${width} × ${height}` : '', part.bytes === undefined ? '' : bytes(part.bytes)].filter((fact) => fact !== '').join(', ');
  if (image === undefined || image === null || broken) {
    const why = broken ? ', data cannot be decoded' : part.ref !== undefined && part.bytes === undefined ? `, kept elsewhere: ${part.ref.slice(0, 200)}` : '';
    return <p className="muted">[image: {facts}{why}]</p>;
  }
  return (
    <figure className="picture">
      <button type="button" className="picture-frame" aria-pressed={whole} title={whole ? 'Show smaller' : 'Show in full size'} onClick={(event) => { event.stopPropagation(); setWhole(!whole); }}>
        <img
          className={whole ? 'picture-whole' : ''} src={imageUrl(image)} alt={`Image of the trace: ${facts}`} decoding="async"
          onLoad={(event) => setSize({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })} onError={() => setBroken(true)}
        />
      </button>
      <figcaption className="muted small">{facts}</figcaption>
    </figure>
  );
}
