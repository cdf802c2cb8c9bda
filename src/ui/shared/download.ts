/** Saves what was made in the page. Nothing leaves it: the link points to a blob of the page itself. */
export function download(name: string, content: Blob | string, mime = 'text/plain;charset=utf-8'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type: mime }) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser takes hold of the blob while it handles the click; a minute is ample even on a slow disk.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file name out of words: "Effective rank, step 12" → "effective-rank-step-12". */
export function fileName(...words: (string | number)[]): string {
  return words.join(' ').normalize('NFKD').replace(/[^\w.]+/g, '-').replace(/^-+|-+$/g, '').toLowerCase().slice(0, 100) || 'contextscope';
}
