import { type JsonChange, jsonChanges } from '../../domain/shared/json-changes.ts';
import { snakeKeys } from '../../domain/shared/key-case.ts';
import { isUnknown, type ProjectedEvent } from '../event-sourcing/aggregates.ts';
import { type EventCodec, isOurs, project, tolerantCodec } from '../event-sourcing/event-codec.ts';
import { CATEGORIES } from '../event-sourcing/streams.ts';
import { categoryOf } from '../ports/event-checks.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import * as folds from '../read-models/row-folds.ts';

interface StreamChangesDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: EventCodec;
  /** Removes from an event what no reader may see. */
  readonly redact: (event: RecordedEvent) => Promise<RecordedEvent>;
}

/** An event of a stream, as the audit log shows it, and what it changed of the row of its record. */
interface StreamChange {
  readonly event: RecordedEvent;
  /** For a stream of which no rows are known: the data of the event. */
  readonly changes: readonly JsonChange[];
}

type Row = { readonly revision: bigint };
const FOLDS: ReadonlyMap<string, folds.RowFold<Row>> = new Map(
  Object.values(folds).map((fold) => [
    fold.filter.categories!.at(-1)!,
    fold as unknown as folds.RowFold<Row>,
  ]),
);
const PAGE = 500;

/** The streams with events of a record, or the stream of this name. `tenants`: whose keys and tags may have this id. */
export const streamsOfRecord = async (
  { store }: Pick<StreamChangesDeps, 'store'>,
  named: string,
  tenants: readonly string[],
): Promise<readonly string[]> => {
  const shared = ['apiKey', 'tag'].flatMap((category) => tenants.map((tenant) => `${category}-${tenant}`));
  const names = CATEGORIES.includes(categoryOf(named) as never)
    ? [named]
    : [...CATEGORIES.map((category) => `${category}-${named}`), ...shared];
  const found: string[] = [];
  for (const stream of new Set(names)) {
    const only = shared.includes(stream) && stream !== named ? named : null;
    for await (const event of eventsOf(store, stream)) {
      if (only !== null && !isAbout(event, only)) continue;
      found.push(stream);
      break;
    }
  }
  return found;
};

/** What each event of a stream changed, in order; `only`: those of one key or tag. Memory grows with its records alone. */
export async function* streamChanges(
  { store, codec, redact }: StreamChangesDeps,
  stream: string,
  only: string,
): AsyncGenerator<StreamChange> {
  const tolerant = tolerantCodec(codec);
  const fold = FOLDS.get(categoryOf(stream));
  const rows = new Map<string, Row | null>();
  // After an event that this version does not know, its rows cannot be told.
  let isKnown = fold !== undefined;
  const isShared = stream.startsWith('apiKey-') || stream.startsWith('tag-');
  for await (const stored of eventsOf(store, stream)) {
    const event = await redact(stored);
    const projected = isOurs(event) ? project(tolerant, event) : null;
    isKnown &&= projected !== null && (!isUnknown(projected) || fold!.acceptsUnknown === true);
    const changes = isKnown ? rowChanges(fold!, rows, projected!) : jsonChanges({}, event.data);
    if (!isShared || stream.endsWith(only) || isAbout(event, only)) yield { event, changes };
  }
}

/** Whether an event of the shared stream of a tenant is about this key or tag. */
const isAbout = ({ data }: RecordedEvent, id: string): boolean =>
  data['key_id'] === id || data['tag_id'] === id;

const rowChanges = (
  { fold, keyOf }: folds.RowFold<Row>,
  rows: Map<string, Row | null>,
  event: ProjectedEvent,
): readonly JsonChange[] => {
  const key = isUnknown(event) ? event.streamId : keyOf(event);
  const before = rows.get(key) ?? null;
  const after = fold(before, event);
  rows.set(key, after);
  return jsonChanges(shown(before), shown(after)).filter(
    ({ after: now, before: then }) => (now ?? then ?? null) !== null,
  );
};

const shown = (row: Row | null): object => {
  const { revision: _, ...fields } = row ?? { revision: 0n };
  return snakeKeys(fields) as object;
};

async function* eventsOf(store: StreamChangesDeps['store'], stream: string): AsyncGenerator<RecordedEvent> {
  for (let from = 0n; ; from += BigInt(PAGE)) {
    const page = await store.readStream(stream, from, PAGE);
    yield* page;
    if (page.length < PAGE) return;
  }
}
