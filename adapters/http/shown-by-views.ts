import type { Position } from '../../application/ports/event-store.ts';
import type { ReadGate, ViewName } from '../../application/ports/read-gate.ts';

/** How long what a stream tells waits for the views: as long as a read with `x-min-position`. */
export const SHOWN_WITHIN_MS = 2_000;

/**
 * What a stream tells, each part with the position up to which `views` must have come before it is told (null: it need
 * not wait): who is told that a job or a run is over, and then asks for it, sees it so. A view that is behind for longer
 * than 2 s holds nothing back.
 */
export async function* shownByViews<T>(
  {
    gate,
    views,
    signal,
  }: { readonly gate: ReadGate; readonly views: readonly ViewName[]; readonly signal: AbortSignal },
  source: AsyncIterable<T>,
  positionOf: (part: T) => Position | null,
): AsyncGenerator<T> {
  for await (const part of source) {
    const position = positionOf(part);
    if (position !== null) await gate.reached(views, position, SHOWN_WITHIN_MS, signal);
    yield part;
  }
}
