import { createMemoryItemStore } from '../../../../support/memory/item-store.ts';
import type { Ingestion } from '../../../../../application/sources/ingestion/connector.ts';
import { createListedConnector } from '../../../../../application/sources/ingestion/listed/listed-connector.ts';
import type {
  FetchedItem,
  Listing,
  ListedSource,
  ListedItem,
  OpenedFor,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { sourceStream } from '../../../../../application/event-sourcing/streams.ts';
import type { JobState } from '../../../../../domain/data-source/index.ts';
import type { RedactionRule } from '../../../../../domain/redaction/index.ts';
import type { LocalFileGroupParameters } from '../../../../../domain/ingestion-setting/index.ts';
import type { ListedRun } from '../../../../../application/sources/ingestion/listed/listed-run.ts';
import { visitItems } from '../../../../../application/sources/ingestion/listed/visit-items.ts';
import { outcomesIn } from '../../../../support/item-outcomes.ts';
import { DATA_SOURCE, openDocumentsInMemory } from '../documents-in-memory.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const PAGE = 2;
const PARAMETERS: LocalFileGroupParameters = { kind: 'local_file_group', chunkMetadataKeys: [] };

/**
 * A provider whose items are texts under names, two on a page, and the jobs that read it: with real documents and their
 * events, and all else in memory. `asked` has what the provider was asked for, in order.
 */
export const openProvider = (rules: readonly RedactionRule[] = []) => {
  const documents = openDocumentsInMemory(rules);
  const asked: unknown[] = [];
  const opened: OpenedFor[] = [];
  const catalog = { ids: [] as readonly string[] };
  const itemStore = createMemoryItemStore(() => catalog.ids);
  const world = {
    items: new Map<string, string>(),
    /** Instead of what an item would give. */
    fetched: new Map<string, FetchedItem>(),
    listing: {} as Partial<Writable<Listing>>,
    source: {} as Partial<Writable<ListedSource<LocalFileGroupParameters>>>,
    onFetch: (_locator: string): void => {},
    rulesChangedAt: 0,
  };
  const itemOf = (locator: string): ListedItem => ({ locator, fingerprint: world.items.get(locator)! });
  const provider = (): Listing => ({
    list: async (cursor) => {
      asked.push(['list', cursor]);
      const left = [...world.items.keys()].toSorted().filter((name) => name > (cursor ?? ''));
      const page = left.slice(0, PAGE);
      return { items: page.map(itemOf), next: left.length > PAGE ? page.at(-1)! : null };
    },
    find: async (locators) => {
      asked.push(['find', ...locators]);
      return locators.map((name) => (world.items.has(name) ? itemOf(name) : null));
    },
    fetch: async ({ locator }) => {
      world.onFetch(locator);
      asked.push(['fetch', locator]);
      const body = new TextEncoder().encode(world.items.get(locator));
      const document = { body, fileName: locator, url: `https://host.example/${locator}` };
      return world.fetched.get(locator) ?? { kind: 'document', document };
    },
    close: async () => void asked.push(['close']),
    ...world.listing,
  });
  const source: ListedSource<LocalFileGroupParameters> = {
    kind: 'local_file_group',
    sourceType: 'local_file',
    contentParameters: [],
    check: () => {},
    subjectOf: () => ({ kind: 'local_file_group' }),
    open: async (_parameters, _signal, of) => {
      opened.push(of);
      return provider();
    },
  };
  const deps = { itemStore, clock: documents.clock, hash: documents.hash };
  const stop = new AbortController();

  return {
    documents,
    itemStore,
    outcomes: () => outcomesIn(itemStore, DATA_SOURCE),
    rowOf: (name: string) => itemStore.itemsOf(DATA_SOURCE).find(({ locator }) => locator === name),
    asked,
    opened,
    catalog,
    world,
    stop,
    deps,
    /** The connector, and one attempt of the job of this generation. */
    connector: () => createListedConnector(deps, { ...source, ...world.source }),
    run: (generation: number, more: Partial<JobState> = {}) => {
      documents.generation = generation;
      documents.more = { mode: generation === 1 ? 'full' : 'incremental', attempt: 1, ...more };
      const { job, documents: of } = documents;
      const ingestion: Ingestion<LocalFileGroupParameters> = {
        job,
        documents: of,
        parameters: PARAMETERS,
        rulesChangedAt: world.rulesChangedAt,
      };
      return createListedConnector(deps, { ...source, ...world.source }).run(ingestion, stop.signal);
    },
    /** Looks at these items in the job that was begun last. */
    visit: (items: readonly ListedItem[], more: Pick<ListedRun, 'again'> = {}, attempt = 1) => {
      documents.more = { mode: 'incremental', attempt };
      const { job, documents: of } = documents;
      const run = { dataSourceId: job.dataSourceId, generation: documents.generation, rulesChangedAt: 0 };
      const listed: ListedRun = {
        ingestion: { job, documents: of },
        listing: provider(),
        run,
        fetches: 1,
        ...more,
      };
      return visitItems(deps, listed, items, stop.signal);
    },
    /** What was told of the document of an item, oldest first. */
    factsOf: async (locator: string) =>
      (await documents.stored(sourceStream(documents.documents.idOf(locator)))).map(({ type }) => type),
  };
};
export type Provider = ReturnType<typeof openProvider>;

export const NAMES = ['a', 'b', 'c'];
export const fill = ({ world }: Provider, names: readonly string[] = NAMES): void => {
  for (const name of names) world.items.set(name, `text of ${name}`);
};
/** A provider of three items, of which a first job knows. */
export const known = async (): Promise<Provider> => {
  const provider = openProvider();
  fill(provider);
  provider.world.listing.syncToken = () => 'version 1';
  await provider.run(1);
  provider.asked.length = 0;
  provider.documents.told.length = 0;
  return provider;
};
