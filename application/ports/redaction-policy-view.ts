import type { RedactionRule, Stage } from '../../domain/redaction/index.ts';
import type { Page, PageRequest } from './page.ts';

/** One redaction policy as it is read. */
export interface RedactionPolicyRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly changedAt: number;
  readonly deleted: boolean;
  readonly revision: bigint;
}

/** Reads of redaction policies. Deleted ones are absent. Eventually consistent: see ReadGate. */
export interface RedactionPolicyView {
  readonly get: (tenant: string, id: string) => Promise<RedactionPolicyRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<RedactionPolicyRow>>;
  /**
   * The rules of all policies that apply to the stage, the oldest policy first, as of the last answer to a write (see
   * RowOverlay). Never a part of them: it throws.
   */
  readonly rulesFor: (tenant: string, stage: Stage) => Promise<readonly RedactionRule[]>;
}
