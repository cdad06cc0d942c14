import { DomainError } from '../shared/domain-error.ts';
import type { RecordIndexed, Remove, SourceCommand } from './commands.ts';
import type { MetadataRecord, SourceEvent } from './events.ts';
import type { KnownSource, SourceState } from './state.ts';

/** Only changes become events: a page seen again with the same content, or failing the same way, leaves no trace. */
export const decide = (command: SourceCommand, state: SourceState): readonly SourceEvent[] => {
  const known = state.status === 'none' ? null : state;
  switch (command.type) {
    case 'record_indexed':
      return isAsIndexed(known, command) ? [] : [indexed(command)];
    case 'record_skipped': {
      if (known?.status === 'skipped' && known.reason === command.reason) return [];
      return [{ ...command, type: 'SourceSkipped' }];
    }
    case 'record_failed': {
      if (known?.status === 'failed' && known.reason === `${command.code}: ${command.message}`) return [];
      return [{ ...command, type: 'SourceFailed' }];
    }
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

const isAsIndexed = (known: KnownSource | null, { raw, chunk_set, title, url }: RecordIndexed): boolean =>
  known?.status === 'indexed' &&
  known.content?.raw === raw.sha256 &&
  known.content.chunk_set === chunk_set.sha256 &&
  known.content.title === title &&
  known.content.url === url;

const indexed = (command: RecordIndexed): SourceEvent => ({ ...command, type: 'SourceIndexed' });

const remove = (known: KnownSource | null, command: Remove): readonly SourceEvent[] => {
  if (known === null || known.status === 'removed') return [];
  const { reason, job_id, generation, at } = command;
  return [{ type: 'SourceRemoved', data_source_id: known.data_source_id, reason, job_id, generation, at }];
};

const living = (known: KnownSource | null): KnownSource => {
  if (known === null || known.status === 'removed')
    throw new DomainError('not_found', 'there is no such source');
  return known;
};

const sameRecords = (a: readonly MetadataRecord[], b: readonly MetadataRecord[]): boolean =>
  a.length === b.length &&
  a.every((x, i) => x.key === b[i]?.key && x.val === b[i].val && x.type === b[i].type);
