import type { RedactionPolicyEvent } from '../../domain/redaction/index.ts';
import type { RedactionPolicyRow } from '../ports/redaction-policy-view.ts';
import type { RowContext } from './data-source-row.ts';

/** A deleted policy keeps a hidden row, so that it stays valid as a cursor. */
export const redactionPolicyRow = (
  row: RedactionPolicyRow | null,
  event: RedactionPolicyEvent,
  { id, tenant, revision }: RowContext,
): RedactionPolicyRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'RedactionPolicyCreated': {
      const { type: _, at, ...facts } = event;
      return { id, tenant, ...facts, createdAt: at, changedAt: at, deleted: false, revision };
    }
    case 'RedactionPolicyChanged': {
      const { type: _, at, ...facts } = event;
      return row === null ? null : { ...row, ...facts, changedAt: at, revision };
    }
    case 'RedactionPolicyDeleted':
      return row === null ? null : { ...row, deleted: true, changedAt: event.at, revision };
  }
};
