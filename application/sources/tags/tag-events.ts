import { type TagEvent, tag, type TagState } from '../../../domain/tag/decider.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Position, RecordedEvent } from '../../ports/event-store.ts';

import { tagStream } from '../../event-sourcing/streams.ts';

export interface TagLogDeps {
  readonly execute: Execute;
}

/** The tags of a tenant, folded from their stream. */
export const readTagging = async ({ execute }: TagLogDeps, tenant: string): Promise<TagState> =>
  (await execute.load(tag, tagStream(tenant), tenant))?.state ?? tag.initial;

interface Answered<T extends TagEvent['type']> {
  readonly event: Extract<TagEvent, { type: T }>;
  readonly position: Position;
}

const PAGE = 500;
/** Allowed clock skew between machines, in milliseconds. */
const CLOCKS_APART = 3_600_000;

/**
 * The event of an earlier request, found by the id that the request had claimed: a repeated request gets the first
 * answer again, and does not restore what was deleted since. Reads the stream backwards, down to the time `since` of
 * the claim; earlier events are irrelevant.
 */
export const answeredBefore = async <T extends 'TagCreated' | 'TagBound'>(
  { execute }: TagLogDeps,
  tenant: string,
  { type, id, since }: { readonly type: T; readonly id: string; readonly since: number },
): Promise<Answered<T> | undefined> => {
  const stream = tagStream(tenant);
  const newest = (await execute.load(tag, stream, tenant))?.revision ?? 'none';
  let end = newest === 'none' ? 0n : newest + 1n;
  while (end > 0n) {
    const begin = end > PAGE ? end - BigInt(PAGE) : 0n;
    const range = { from: begin, limit: Number(end - begin) };
    const page = await execute.history(tag, stream, tenant, range);
    for (const { event, recorded } of page) {
      if (event.type === type && idOf(event) === id)
        return { event, position: recorded.position } as Answered<T>;
    }
    end = isOlder(page[0]?.recorded, since) ? 0n : begin;
  }
  return undefined;
};

const isOlder = (recorded: RecordedEvent | undefined, since: number): boolean =>
  recorded === undefined || recorded.recordedAt < since - CLOCKS_APART;

const idOf = (event: TagEvent): string => ('bindingId' in event ? event.bindingId : event.tagId);
