import type { MetadataRecord, SourceEvent } from './events.ts';

export type SourceStatus = 'indexed' | 'skipped' | 'failed';

/** Hashes of what is readable now: null while nothing is. */
export interface IndexedContent {
  readonly raw: string;
  readonly chunk_set: string;
  readonly title: string;
  readonly url: string;
}

export type SourceState =
  | { readonly status: 'none' }
  | {
      readonly status: SourceStatus | 'removed';
      readonly data_source_id: string;
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
      const { data_source_id, title, url } = event;
      const content = { raw: event.raw.sha256, chunk_set: event.chunk_set.sha256, title, url };
      return { ...kept, status: 'indexed', data_source_id, content };
    }
    case 'SourceSkipped':
      return {
        ...kept,
        status: 'skipped',
        data_source_id: event.data_source_id,
        content: null,
        reason: event.reason,
      };
    case 'SourceFailed': {
      const reason = `${event.code}: ${event.message}`;
      return { ...kept, status: 'failed', data_source_id: event.data_source_id, reason };
    }
    case 'SourceRemoved':
      return {
        status: 'removed',
        data_source_id: event.data_source_id,
        content: null,
        reason: '',
        metadata: [],
      };
    case 'SourceMetadataReplaced':
      return { ...the(known), metadata: event.records };
    case 'SourceMetadataDeleted':
      return { ...the(known), metadata: [] };
  }
};

const the = (known: KnownSource | null): KnownSource => {
  if (known === null) throw new Error('metadata of a source that was never seen');
  return known;
};
