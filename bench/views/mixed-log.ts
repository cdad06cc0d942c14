import { createIdSource } from '../../adapters/system/identity.ts';
import type { DomainEvent } from '../../application/domain-event.ts';
import { createEventCodec } from '../../application/event-codec.ts';
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts';
import {
  conversationStream,
  dataSourceStream,
  ingestionSettingStream,
  sourceStream,
  tagStream,
} from '../../application/streams.ts';
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
  const parameters = {
    kind: 'crawl',
    start_url: 'https://docs.example.org/',
    max_depth: 3,
    max_num_files: 500,
    path_filters: [],
    content_pattern: [],
    html_only: false,
    use_browser: false,
    no_canonical_check: false,
    file_extensions: [],
  } as const;
  const created = {
    type: 'IngestionSettingCreated',
    data_source_id: ids.newId(),
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
  const events: DomainEvent[] = [{ type: 'ConversationStarted', principal_id: null, at }];
  let parent_id: string | null = null;
  while (events.length < length) {
    const [asked, answered]: readonly [string, string] = [ids.newId(), ids.newId()];
    events.push({ type: 'UserMessageAdded', message_id: asked, parent_id, at });
    events.push({ type: 'AnswerBegun', message_id: answered, parent_id: asked, source_group_ids: null, at });
    parent_id = answered;
  }
  return { name: conversationStream(ids.newId()), events: events.slice(0, length) };
}

function documentWithoutContents(length: number): Stream {
  const id = ids.newId();
  const [data_source_id, job_id] = [ids.newId(), ids.newId()];
  const events = Array.from({ length }, (_, n): DomainEvent => ({
    type: 'SourceSkipped',
    data_source_id,
    source_type: 'crawl',
    locator: `https://docs.example.org/${id}`,
    job_id,
    generation: n + 1,
    reason: 'noindex',
    at,
  }));
  return { name: sourceStream(id), events };
}

function tagWithBindings(length: number): Stream {
  const tag_id = ids.newId();
  const bound = Array.from({ length: length - 1 }, (): DomainEvent => {
    return { type: 'TagBound', binding_id: ids.newId(), tag_id, source_group_id: ids.newId(), at };
  });
  const created = { type: 'TagCreated', tag_id, name: `tag ${tag_id}`, description: '', at } as const;
  return { name: tagStream(ids.newId()), events: [created, ...bound] };
}
