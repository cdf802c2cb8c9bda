import { createContext, useMemo, type ReactNode } from 'react';
import type { ImagePart, Part } from '../../core/trace/model';
import { useApp } from '../../state/react/app-context';
import { useResource } from '../../state/react/use-resource';
import { imagesOfParts, recordImages, type RecordImage } from './record-images';

/** Where the record of a message is read from. */
export interface RecordSource { runId: string; row: number }

/** Picture of an image part; null = the record holds none; absent = not read (yet). */
export const PicturesContext = createContext<ReadonlyMap<ImagePart, RecordImage | null>>(new Map());

const NONE: ReadonlyMap<ImagePart, RecordImage | null> = new Map();

export function imagePartsOf(parts: readonly Part[]): ImagePart[] {
  return parts.flatMap((part) => (part.type === 'image' ? [part] : part.type === 'tool_result' ? part.content.filter((one) => one.type === 'image') : []));
}

/** Reads the record of a message that has images, once, and hands its pictures to the parts inside. */
export function PicturesOf({ parts, source, children }: { parts: readonly Part[]; source: RecordSource; children: ReactNode }) {
  const { workbench } = useApp();
  const wanted = useMemo(() => imagePartsOf(parts), [parts]);
  // A part whose size is not known has its bytes elsewhere: nothing to read.
  const key = wanted.some(({ bytes }) => bytes !== undefined) ? `${source.runId} ${source.row} images` : null;
  const images = useResource(key, async () => recordImages(await workbench.readRaw(source.runId, source.row))).value;
  const pictures = useMemo(() => {
    if (images === undefined) return NONE;
    const found = imagesOfParts(wanted, images);
    return new Map(wanted.map((part, i) => [part, found[i] ?? null]));
  }, [images, wanted]);
  return <PicturesContext value={pictures}>{children}</PicturesContext>;
}
