import { useEffect, useEffectEvent } from 'react';

/** Steps a second at 1×. */
const STEPS_PER_SECOND = 2;

/** Advances the playhead while `playing`; stops at the last step. */
export function usePlay(playing: boolean, speed: number, advance: () => boolean, stop: () => void): void {
  const tick = useEffectEvent(() => {
    if (!advance()) stop();
  });
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => tick(), 1000 / (STEPS_PER_SECOND * speed));
    return () => clearInterval(timer);
  }, [playing, speed]);
}
