import { useId } from 'react';
import { bytes } from '../shared/format';

/** A file to choose, with what was chosen beside it. */
export function FileField({ label, accept, file, hint, onFile }: { label: string; accept: string; file: File | null; hint: string; onFile: (file: File) => void }) {
  const id = useId();
  return (
    <div className="encoder-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="file" accept={accept} aria-describedby={`${id}-hint`} onChange={(event) => { const chosen = event.target.files?.[0]; if (chosen) onFile(chosen); }} />
      <span id={`${id}-hint`} className="muted small">{file ? `${file.name}, ${bytes(file.size)}` : hint}</span>
    </div>
  );
}
