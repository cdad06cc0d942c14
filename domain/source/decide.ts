import { DomainError } from '../shared/domain-error.ts';
import type { RecordIndexed, Remove, SourceCommand } from './commands.ts';
import type { MetadataRecord, SourceEvent } from './events.ts';
import { failure, omission, type KnownSource, type SourceState } from './state.ts';

/**
 * Only changes become events: a page seen again with the same content, or failing the same way, leaves no trace. Nor
 * does what a job reports of a source of which a newer job has written: its worker was replaced, or its data source
 * deleted, and it does not know.
 */
export const decide = (command: SourceCommand, state: SourceState): readonly SourceEvent[] => {
  const known = state.status === 'none' ? null : state;
  switch (command.type) {
    case 'record_indexed':
      if (isStale(known, command) || isAsIndexed(known, command)) return [];
      return [{ ...command, type: 'SourceIndexed' }];
    case 'record_skipped':
      if (isStale(known, command)) return [];
      if (known?.status === 'skipped' && known.reason === omission(command)) return [];
      return [{ ...command, type: 'SourceSkipped' }];
    case 'record_failed':
      if (isStale(known, command)) return [];
      if (known?.status === 'failed' && known.reason === failure(command)) return [];
      return [{ ...command, type: 'SourceFailed' }];
    case 'remove':
      return remove(known, command);
    case 'replace_metadata':
      if (sameRecords(living(known).metadata, command.records)) return [];
      return [{ type: 'SourceMetadataReplaced', records: command.records, at: command.at }];
    case 'delete_metadata':
      if (living(known).metadata.length === 0) return [];
      return [{ type: 'SourceMetadataDeleted', at: command.at }];
  }
};

const isStale = (known: KnownSource | null, { generation }: { readonly generation: number }): boolean =>
  known !== null && generation < known.generation;

const isAsIndexed = (known: KnownSource | null, { raw, chunkSet, title, url }: RecordIndexed): boolean =>
  known?.status === 'indexed' &&
  known.content?.raw === raw.sha256 &&
  known.content.chunkSet === chunkSet.sha256 &&
  known.content.title === title &&
  known.content.url === url;

const remove = (known: KnownSource | null, command: Remove): readonly SourceEvent[] => {
  if (known === null || known.status === 'removed') return [];
  const { reason, jobId, generation, at } = command;
  // The sweep read its list before this job, or a newer one, recorded the source after all.
  if (reason === 'not_seen' && generation <= known.generation) return [];
  if (reason === 'gone' && isStale(known, command)) return [];
  // Not by the very job that recorded it.
  const from = reason === 'requested' ? Math.max(generation, known.generation + 1) : generation;
  return [{ type: 'SourceRemoved', dataSourceId: known.dataSourceId, reason, jobId, generation: from, at }];
};

const living = (known: KnownSource | null): KnownSource => {
  if (known === null || known.status === 'removed')
    throw new DomainError('not_found', 'there is no such source');
  return known;
};

const sameRecords = (a: readonly MetadataRecord[], b: readonly MetadataRecord[]): boolean =>
  a.length === b.length &&
  a.every((x, i) => x.key === b[i]?.key && x.val === b[i].val && x.type === b[i].type);
