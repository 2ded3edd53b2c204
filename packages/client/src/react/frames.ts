// Changes are shown with the next frame of the screen, however many there are: nobody sees more.

import { HIDDEN_FRAME_MS, MIN_FRAME_MS } from '../limits.ts';

export interface Frames {
  /** Does the work with the next frame, once, however often it is asked for until then. */
  request(work: () => void): void;
}

export function createFrames(): Frames {
  const waiting = new Set<() => void>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    if (frame !== undefined) globalThis.cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
    lastAt = performance.now();
    const works = [...waiting];
    waiting.clear();
    for (const work of works) work();
  }

  function draw(): void {
    // Some screens have more frames than anybody needs.
    if (performance.now() - lastAt >= MIN_FRAME_MS) flush();
    else frame = globalThis.requestAnimationFrame(draw);
  }

  return {
    request(work) {
      waiting.add(work);
      if (timer !== undefined) return;
      const hasScreen = typeof globalThis.requestAnimationFrame === 'function';
      if (hasScreen) frame = globalThis.requestAnimationFrame(draw);
      // A page that nobody sees has no frames; what waits would pile up.
      timer = setTimeout(flush, hasScreen ? HIDDEN_FRAME_MS : MIN_FRAME_MS);
    },
  };
}
