import type { RedactionRule, Stage } from '../../domain/redaction/index.ts';
import type { Page, PageRequest } from './page.ts';

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

/** Reads redaction policies, without deleted ones. Eventually consistent: see ReadGate. */
export interface RedactionPolicyView {
  readonly get: (tenant: string, id: string) => Promise<RedactionPolicyRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<RedactionPolicyRow>>;
  /**
   * The rules of all policies that apply to the stage, oldest policy first, as of the last answer to a write (see
   * RowOverlay). Returns all rules or throws.
   */
  readonly rulesFor: (tenant: string, stage: Stage) => Promise<readonly RedactionRule[]>;
}
