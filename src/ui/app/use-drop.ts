import { useEffect, useEffectEvent, useState } from 'react';
import { filesOf, type GivenFiles } from '../opening/drop-files';
import { focusOf } from './use-keys';

/** Files dropped or pasted anywhere on the page, at most `most` at once. Returns whether files are being dragged over it. */
export function useDrop(onFiles: (given: GivenFiles) => void, most: number): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useEffectEvent((transfer: DataTransfer) => {
    void filesOf(transfer, most).then((given) => {
      if (given.files.length > 0) onFiles(given);
    });
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.some((type) => type === 'Files' || type === 'text/plain') ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent): void => {
      setDragging(false);
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent): void => {
      if (event.clipboardData === null || focusOf(document.activeElement) === 'text') return;
      take(event.clipboardData);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, []);
  return dragging;
}
