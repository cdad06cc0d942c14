import type { RedactionPolicyEvent, RedactionRule, Stage } from '../../domain/redaction/index.ts';
import type { RowContext } from './data-source-row.ts';

/** One redaction policy as it is read. */
export interface RedactionPolicyRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly applies_to: readonly Stage[];
  /** Unix milliseconds. */
  readonly created_at: number;
  readonly changed_at: number;
  readonly deleted: boolean;
  readonly revision: bigint;
}

/** A deleted one stays as a row that no read shows: a list may go on after it. */
export const redactionPolicyRow = (
  row: RedactionPolicyRow | null,
  event: RedactionPolicyEvent,
  { id, tenant, revision }: RowContext,
): RedactionPolicyRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'RedactionPolicyCreated': {
      const { type: _, at, ...facts } = event;
      return { id, tenant, ...facts, created_at: at, changed_at: at, deleted: false, revision };
    }
    case 'RedactionPolicyChanged': {
      const { type: _, at, ...facts } = event;
      return row === null ? null : { ...row, ...facts, changed_at: at, revision };
    }
    case 'RedactionPolicyDeleted':
      return row === null ? null : { ...row, deleted: true, changed_at: event.at, revision };
  }
};
