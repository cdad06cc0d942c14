import type { DomainEvent, ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import type { SearchableSource, SearchEngineWriter } from '../../../../application/ports/search-engine.ts';
import { type CatalogFixture, sha256 } from '../catalog/catalog-fixture.ts';

/** The index of a catalog, told what its contract says by the events that its projection takes it from. */
export const createToldByEvents = (fixture: CatalogFixture): SearchEngineWriter => {
  const next = createStreams();
  /** What is known of each source: events are about nothing else. */
  const written = new Map<string, SearchableSource>();
  const indexed = (source: SearchableSource): readonly ProjectedEvent[] => {
    const set = chunkSetOf(source);
    const hash = sha256(`${source.id} ${JSON.stringify(set)}`);
    fixture.files.set(hash, set);
    written.set(source.id, source);
    const of = (event: DomainEvent) => next('source', source.id, source.tenant, event);
    return [
      of({
        type: 'SourceIndexed',
        dataSourceId: source.dataSourceId,
        sourceType: source.sourceType,
        locator: source.url,
        jobId: 'job',
        generation: 1,
        at: (source.contents[0]?.timestamp ?? 0) * 1_000,
        url: source.url,
        title: source.title,
        ...(source.language !== undefined && { language: source.language }),
        fileType: source.fileType,
        mediaType: 'text/html',
        raw: { sha256: sha256(source.id), bytes: 100 },
        chunkSet: { sha256: hash, bytes: 200, chunks: set.chunks.length },
      }),
      of({ type: 'SourceMetadataReplaced', records: source.metadata, at: 1 }),
    ];
  };
  const removed = ({ id, tenant, dataSourceId }: SearchableSource): readonly ProjectedEvent[] => {
    if (!written.has(id)) return [];
    const event = {
      type: 'SourceRemoved',
      dataSourceId,
      reason: 'not_seen',
      jobId: 'job',
      generation: 2,
      at: 1,
    };
    return [next('source', id, tenant, event as DomainEvent)];
  };
  return {
    replace: (sources) =>
      fixture.apply(
        ...sources.flatMap((source) => (source.contents.length > 0 ? indexed(source) : removed(source))),
      ),
    removeDataSource: (tenant, id) =>
      fixture.apply(
        next('dataSource', id, tenant, {
          type: 'DataSourceDeletionRequested',
          interruptedJobId: null,
          at: 1,
        }),
      ),
  };
};

const createStreams = () => {
  const revisions = new Map<string, bigint>();
  let position = 0;
  return (category: string, streamId: string, tenant: string, event: DomainEvent): ProjectedEvent => {
    const stream = `${category}-${streamId}`;
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    position += 1;
    const actor = { kind: 'system', id: 'test' } as const;
    const metadata = { tenant, actor, correlationId: 'c', causationId: 'c', schemaVersion: 1 };
    const place = {
      stream,
      streamId,
      revision,
      position: String(position).padStart(12, '0'),
      recordedAt: position,
    };
    return { id: `${stream} ${revision}`, ...place, event, metadata };
  };
};

const chunkSetOf = ({ title, url, fileType, contents }: SearchableSource) => {
  const seen = new Map<string, number>();
  return {
    format: 1 as const,
    source: { title, url, fileType },
    keywords: [],
    chunks: contents.map(({ text, headingPath, pageNumber, metadata }) => {
      const occurrence = seen.get(text) ?? 0;
      seen.set(text, occurrence + 1);
      const rest = { tokenCount: 1, textHash: sha256(text), occurrence };
      return { text, headingPath, pageNumber, ...rest, ...(metadata !== undefined && { metadata }) };
    }),
  };
};
