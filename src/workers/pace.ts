import type { Progress } from './api';

/** A person reads no more than a few numbers a second, and each message costs the page some work. */
const EVERY_MS = 100;
/** Before this the estimate would jump. */
const ESTIMATE_AFTER_MS = 500;

/** Lets through a progress report at most every 100 ms (the last one always) and adds the time that is left. */
export function paced(emit: (progress: Progress) => void, now: () => number = () => performance.now()): (progress: Progress) => void {
  const startedMs = now();
  let lastMs = -Infinity;
  return (progress) => {
    const time = now();
    const finished = progress.done >= progress.total;
    if (!finished && time - lastMs < EVERY_MS) return;
    lastMs = time;
    const spent = time - startedMs;
    const secondsLeft = spent < ESTIMATE_AFTER_MS || !(progress.done > 0) ? NaN : (spent / 1000) * (progress.total / progress.done - 1);
    emit({ secondsLeft, ...progress });
  };
}

/** `1 204`: thin spaces between groups of three digits. */
export function grouped(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}
