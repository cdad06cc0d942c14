import { type ExportLine, exportLine } from '../../domain/proof/export-line.ts';
import { HASH_BYTES, type Sha256 } from '../../domain/proof/merkle.ts';
import { TILE_WIDTH } from '../../domain/proof/tiles.ts';
import { matchesFilter } from '../ports/event-checks.ts';
import { isOurs } from '../event-sourcing/event-codec.ts';
import type { EventFeed, EventFilter, Position, RecordedEvent } from '../ports/event-store.ts';
import type { LogTree } from '../ports/log-tree.ts';
import type { RedactTextFor } from '../redaction/redact-text.ts';
import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import { type AuditFilter, type LogFilter, redactForAudit } from './operations.ts';
import { createShownFilter } from './where.ts';

export interface ExportDeps {
  readonly feed: Pick<EventFeed, 'read'>;
  readonly tree: Pick<LogTree, 'indexOf' | 'places' | 'hashes' | 'salts'>;
  readonly sha256: Sha256;
  readonly redactTextFor: RedactTextFor;
}

/** An event with its leaf in the tree of its tenant. */
export interface ExportedEvent {
  readonly line: ExportLine & Required<Pick<ExportLine, 'event'>>;
  readonly tenant: string;
  readonly position: Position;
  /** Unix milliseconds. */
  readonly recordedAt: number;
}

export interface ExportPage {
  readonly events: readonly ExportedEvent[];
  /** Lines for events that the filter leaves out, where they are asked for. */
  readonly leftOut: readonly (ExportLine & { readonly position: Position })[];
  /** Every matching event up to here was given: the next export goes on after it. */
  readonly position: Position;
  /** The log goes on, but its tree does not yet. */
  readonly isBehind: boolean;
}

export type ExportFormat = 'ndjson' | 'csv' | 'parquet';

/** Makes the bytes of one file: `head`, those of each page, and `end`. */
export interface ExportEncoder {
  readonly head: string;
  /** It may keep events back for a later page. */
  readonly page: (page: ExportPage) => Promise<Uint8Array | string>;
  readonly end: () => Promise<Uint8Array | string>;
}

/** Larger pages are no faster, and take 100 MB more. */
const PAGE = 500;

/**
 * The matching events after `after`, in position order, as far as the trees of their tenants are: as `GET /events` shows
 * them, with what proves them. Memory does not grow with the events. Events of other programs are left out.
 *
 * @param hashes tell what the filter leaves out, by its hash: an export of one tenant can then be proved by itself
 */
export async function* exportLog(
  deps: ExportDeps,
  { where, streamPrefix, ...filter }: LogFilter,
  after: Position,
  hashes = false,
): AsyncGenerator<ExportPage> {
  const { feed } = deps;
  const exported = createExported(deps);
  const fits = createShownFilter({ ...(where && { where }), ...(streamPrefix && { streamPrefix }) });
  const { tenant } = filter;
  const read: EventFilter = hashes && tenant !== undefined ? { tenant } : filter;
  let from = after;
  let reading: ReturnType<EventFeed['read']> | null = feed.read(from, read, PAGE);
  while (reading !== null) {
    const page: Awaited<ReturnType<EventFeed['read']>> = await reading;
    reading = page.more ? feed.read(page.position, read, PAGE) : null;
    // Whoever stops reading does not wait for it.
    reading?.catch(() => {});
    const { events, isBehind } = await exported(page.events);
    from = isBehind ? (events.at(-1)?.position ?? from) : page.position;
    const shown = parted(events, page.events, (recorded, { line }) => {
      const { data } = line.event as Pick<RecordedEvent, 'data'>;
      return matchesFilter(filter, recorded) && fits({ ...recorded, data });
    });
    yield { events: shown.events, leftOut: hashes ? shown.leftOut : [], position: from, isBehind };
    if (isBehind) return;
  }
}

/** What is asked for, and the hashes of all other events. */
const parted = (
  events: readonly ExportedEvent[],
  recorded: readonly RecordedEvent[],
  isAsked: (recorded: RecordedEvent, exported: ExportedEvent) => boolean,
): Pick<ExportPage, 'events' | 'leftOut'> => {
  const at = new Map(recorded.map((event) => [event.position, event]));
  const { shown = [], others = [] } = Object.groupBy(events, (event) =>
    isAsked(at.get(event.position)!, event) ? 'shown' : 'others',
  );
  const hashOf = ({ position, line }: ExportedEvent): ExportPage['leftOut'][number] => {
    const { event: _, hidden: __, ...hash } = line;
    return { position, ...hash };
  };
  return { events: shown, leftOut: others.map(hashOf) };
};

/**
 * Takes from stored events what no reader may see, and adds what proves them: as far as the trees of their tenants are,
 * which may be behind. Events of other programs are left out.
 */
export type Exported = (events: readonly RecordedEvent[]) => Promise<Pick<ExportPage, 'events' | 'isBehind'>>;

export const createExported = ({ tree, sha256, redactTextFor }: Omit<ExportDeps, 'feed'>): Exported => {
  const leafOf = createLeafFinder(tree);
  let salts: ReturnType<LogTree['salts']> | undefined;
  return async (recorded) => {
    const saltOf = await (salts ??= tree.salts());
    const hiding = new Map<string, Awaited<ReturnType<RedactTextFor>>>();
    const events: ExportedEvent[] = [];
    for (const event of recorded) {
      if (!isOurs(event)) continue;
      const tenant = event.metadata['tenant'] as string;
      const leaf = leafOf.cached(tenant, event) ?? (await leafOf.loaded(tenant, event));
      if (leaf === null) return { events, isBehind: true };
      const hide = hiding.get(tenant) ?? (await redactTextFor(tenant));
      hiding.set(tenant, hide);
      const line = exportLine(sha256, saltOf, event, redactForAudit(event, hide).data, leaf);
      events.push({
        line: line as ExportedEvent['line'],
        tenant,
        position: event.position,
        recordedAt: event.recordedAt,
      });
    }
    return { events, isBehind: false };
  };
};

export interface ExportOperationsDeps extends ExportDeps {
  readonly openEncoder: (format: ExportFormat) => Promise<ExportEncoder>;
}

/** Exports of the caller's tenant. */
export const createExportOperations = (deps: ExportOperationsDeps) => ({
  /**
   * The bytes of a file with the matching events after `after`; see `exportLog`. Ends early when `signal` aborts.
   *
   * @throws DomainError key_restricted, before anything is read
   */
  exportEvents: async (
    caller: Caller,
    request: { readonly filter: AuditFilter; readonly after: Position; readonly hashes: boolean },
    format: ExportFormat,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array | string>> => {
    mustBeUnrestricted(caller, 'exporting the event log');
    const filter = { ...request.filter, tenant: caller.tenant };
    const pages = exportLog(deps, filter, request.after, request.hashes)[Symbol.asyncIterator]();
    // A log that cannot be read is told before the body begins.
    const first = await pages.next();
    return encoded(await deps.openEncoder(format), first, pages, signal);
  },
});
export type ExportOperations = ReturnType<typeof createExportOperations>;

async function* encoded(
  encoder: ExportEncoder,
  first: IteratorResult<ExportPage>,
  rest: AsyncIterator<ExportPage>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array | string> {
  try {
    yield encoder.head;
    for (let page = first; page.done !== true; page = await rest.next()) {
      if (signal.aborted) return;
      yield await encoder.page(page.value);
    }
    yield await encoder.end();
  } finally {
    await rest.return?.();
  }
}

type Leaf = Parameters<typeof exportLine>[4];
/** The tile of each tenant that was read last. */
const MAX_TILES = 64;

/** Finds the leaf of an event by its position, a tile at a time. */
const createLeafFinder = (tree: ExportDeps['tree']) => {
  const tiles = new Map<
    string,
    { readonly first: number; readonly at: ReadonlyMap<Position, number>; readonly hashes: Uint8Array }
  >();
  const cached = (tenant: string, { position }: Pick<RecordedEvent, 'position'>): Leaf | null => {
    const tile = tiles.get(tenant);
    const at = tile?.at.get(position);
    if (tile === undefined || at === undefined) return null;
    const hash = tile.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    return { index: tile.first + at, hash };
  };
  return {
    cached,
    /** Null: the tree has no leaf of the event yet. */
    loaded: async (tenant: string, event: Pick<RecordedEvent, 'position'>): Promise<Leaf | null> => {
      const index = await tree.indexOf(tenant, event.position);
      if (index === null) return null;
      const tile = Math.floor(index / TILE_WIDTH);
      const [places, hashes] = await Promise.all([tree.places(tenant, tile), tree.hashes(tenant, 0, tile)]);
      if (tiles.size === MAX_TILES) tiles.delete(tiles.keys().next().value!);
      const at = new Map(places.map(({ position }, nth) => [position, nth]));
      tiles.set(tenant, { first: tile * TILE_WIDTH, at, hashes });
      return cached(tenant, event);
    },
  };
};
