import { createIdSource } from '../../adapters/system/identity.ts';
import type { DomainEvent } from '../../application/event-sourcing/aggregates.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts';
import {
  conversationStream,
  dataSourceStream,
  ingestionSettingStream,
  sourceStream,
  tagStream,
} from '../../application/event-sourcing/streams.ts';
import { crawlParameters } from '../../tests/support/crawl-parameters.ts';
import { CONTEXT, jobHistory } from '../events/job-histories.ts';

const ids = createIdSource();
const codec = createEventCodec();
const at = 1_763_650_000_000;
/** Streams that grow at the same time, so that their events lie among each other in the log. */
const AT_ONCE = 32;

/** Of each hundred events that many are in streams of this kind, and so many in each stream. */
const KINDS: readonly { readonly share: number; readonly length: number; readonly make: Make }[] = [
  { share: 50, length: 20, make: jobs },
  { share: 10, length: 4, make: setting },
  { share: 15, length: 5, make: conversation },
  { share: 15, length: 3, make: documentWithoutContents },
  { share: 10, length: 10, make: tagWithBindings },
];
interface Stream {
  readonly name: string;
  readonly events: readonly DomainEvent[];
}
type Make = (length: number) => Stream;

/**
 * Events of all kinds, each stream in two appends. Documents are such as have no contents: what a text costs its view is
 * the same however the log is read.
 */
export const fillMixed = async (store: EventStore, events: number): Promise<number> => {
  const streams = KINDS.flatMap(({ share, length, make }) =>
    Array.from({ length: Math.floor((events * share) / 100 / length) }, () => () => make(length)),
  );
  const waiting = evenly(streams)[Symbol.iterator]();
  const write = async (): Promise<void> => {
    for (const make of waiting) {
      const { name, events: all } = make();
      const encoded = all.map((event) => codec.encode(event, ids.newId(), CONTEXT));
      const half = Math.ceil(encoded.length / 2);
      await store.append(name, 'none', encoded.slice(0, half) as [NewEvent, ...NewEvent[]]);
      const rest = encoded.slice(half);
      if (rest.length > 0) await store.append(name, BigInt(half - 1), rest as [NewEvent, ...NewEvent[]]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, write));
  return KINDS.reduce(
    (sum, { share, length }) => sum + Math.floor((events * share) / 100 / length) * length,
    0,
  );
};

/** Every kind from the beginning to the end, always in the same order. */
const evenly = <T>(items: readonly T[]): readonly T[] => {
  const step = 7_919;
  return items.map((_, index) => items[(index * step) % items.length]!);
};

function jobs(length: number): Stream {
  const id = ids.newId();
  return { name: dataSourceStream(id), events: jobHistory({ id, ids, length }) };
}

function setting(length: number): Stream {
  const parameters = crawlParameters();
  const created = {
    type: 'IngestionSettingCreated',
    dataSourceId: ids.newId(),
    name: 'Docs',
    parameters,
  } as const;
  const renamed = Array.from({ length: length - 1 }, (_, n): DomainEvent => {
    return { type: 'IngestionSettingRenamed', name: `Docs ${n}`, at };
  });
  return {
    name: ingestionSettingStream(ids.newId()),
    events: [{ ...created, schedule: null, at }, ...renamed],
  };
}

function conversation(length: number): Stream {
  const events: DomainEvent[] = [{ type: 'ConversationStarted', principalId: null, at }];
  let parentId: string | null = null;
  while (events.length < length) {
    const [asked, answered]: readonly [string, string] = [ids.newId(), ids.newId()];
    events.push({ type: 'UserMessageAdded', messageId: asked, parentId, at });
    events.push({ type: 'AnswerBegun', messageId: answered, parentId: asked, sourceGroupIds: null, at });
    parentId = answered;
  }
  return { name: conversationStream(ids.newId()), events: events.slice(0, length) };
}

function documentWithoutContents(length: number): Stream {
  const id = ids.newId();
  const [dataSourceId, jobId] = [ids.newId(), ids.newId()];
  const events = Array.from({ length }, (_, n): DomainEvent => ({
    type: 'SourceSkipped',
    dataSourceId,
    sourceType: 'crawl',
    locator: `https://docs.example.org/${id}`,
    jobId,
    generation: n + 1,
    reason: 'noindex',
    at,
  }));
  return { name: sourceStream(id), events };
}

function tagWithBindings(length: number): Stream {
  const tagId = ids.newId();
  const bound = Array.from({ length: length - 1 }, (): DomainEvent => {
    return { type: 'TagBound', bindingId: ids.newId(), tagId, sourceGroupId: ids.newId(), at };
  });
  const created = { type: 'TagCreated', tagId, name: `tag ${tagId}`, description: '', at } as const;
  return { name: tagStream(ids.newId()), events: [created, ...bound] };
}
