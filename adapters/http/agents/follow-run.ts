import type { FollowedRun } from '../../../application/agents/runs/run-events.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { ServerSentEvent } from '../server-sent-events.ts';
import { type AgUiEvent, agUiOf, NOTHING_OPEN, resumed } from './agui.ts';

/**
 * A run as agent-UI events: what was told, and what comes. The last event of each revision carries it as its id, so that
 * a client which broke off in the middle is told the revision again, and none is skipped.
 *
 * @param after the revision behind which a client goes on, before the end of the run; the stream then begins with what
 * is open there
 */
export async function* agUiStream(
  { past, coming }: FollowedRun,
  after: bigint | undefined,
): AsyncGenerator<ServerSentEvent> {
  let state = NOTHING_OPEN;
  const known = after === undefined ? [] : past.filter(({ revision }) => revision <= after);
  for (const told of known) state = agUiOf(state, told).state;
  const last = known.at(-1);
  if (last !== undefined) yield* framed(resumed(last, state), last.revision);
  for await (const told of all(past.slice(known.length), coming)) {
    const next = agUiOf(state, told);
    state = next.state;
    yield* framed(next.events, told.revision);
  }
}

async function* all<T>(past: readonly T[], coming: AsyncIterable<T>): AsyncGenerator<T> {
  yield* past;
  try {
    yield* coming;
  } catch (error) {
    // Its thread was deleted while it was followed: there is nothing more to tell.
    if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
  }
}

function* framed(events: readonly AgUiEvent[], revision: bigint | undefined): Generator<ServerSentEvent> {
  for (const [i, data] of events.entries()) {
    const isLast = i === events.length - 1;
    yield { ...(isLast && revision !== undefined && { id: revision.toString() }), data };
  }
}
