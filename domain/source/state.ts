import type { MetadataRecord, SourceEvent } from './events.ts';

export type SourceStatus = 'indexed' | 'skipped' | 'failed';

/** Hashes of what is readable now: null while nothing is. */
export interface IndexedContent {
  readonly raw: string;
  readonly chunkSet: string;
  readonly title: string;
  readonly url: string;
}

export type SourceState =
  | { readonly status: 'none' }
  | {
      readonly status: SourceStatus | 'removed';
      readonly dataSourceId: string;
      /** Number of the job that the newest fact comes from; infinite once its data source was deleted. */
      readonly generation: number;
      readonly content: IndexedContent | null;
      /** Why it was skipped or failed, as one comparable text. */
      readonly reason: string;
      readonly metadata: readonly MetadataRecord[];
    };
export type KnownSource = Exclude<SourceState, { status: 'none' }>;

export const initial: SourceState = { status: 'none' };

export const evolve = (state: SourceState, event: SourceEvent): SourceState => {
  const known = state.status === 'none' ? null : state;
  const kept = { content: known?.content ?? null, metadata: known?.metadata ?? [], reason: '' };
  switch (event.type) {
    case 'SourceIndexed': {
      const { dataSourceId, generation, title, url } = event;
      const content = { raw: event.raw.sha256, chunkSet: event.chunkSet.sha256, title, url };
      return { ...kept, status: 'indexed', dataSourceId, generation, content };
    }
    case 'SourceSkipped': {
      const { dataSourceId, generation } = event;
      const reason = omission(event);
      return { ...kept, status: 'skipped', dataSourceId, generation, content: null, reason };
    }
    case 'SourceFailed': {
      const { dataSourceId, generation } = event;
      return { ...kept, status: 'failed', dataSourceId, generation, reason: failure(event) };
    }
    case 'SourceRemoved': {
      const { dataSourceId, reason } = event;
      const generation = reason === 'data_source_deleted' ? Infinity : event.generation;
      return { status: 'removed', dataSourceId, generation, content: null, reason: '', metadata: [] };
    }
    case 'SourceMetadataReplaced':
      return { ...the(known), metadata: event.records };
    case 'SourceMetadataDeleted':
      return { ...the(known), metadata: [] };
  }
};

/** What a document was found by. */
interface About {
  readonly title?: string;
  readonly url?: string;
}

/** A failure as the text by which two are the same. */
export const failure = ({
  code,
  message,
  ...about
}: About & { readonly code: string; readonly message: string }): string =>
  sameAs(`${code}: ${message}`, about);

/** Why a document was left out, as the text by which two are the same. */
export const omission = ({ reason, ...about }: About & { readonly reason: string }): string =>
  sameAs(reason, about);

const sameAs = (what: string, { title = '', url = '' }: About): string =>
  [what, title, url].join('\n').trimEnd();

const the = (known: KnownSource | null): KnownSource => {
  if (known === null) throw new Error('metadata of a source that was never seen');
  return known;
};
