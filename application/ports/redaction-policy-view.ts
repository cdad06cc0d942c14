import type { RedactionRule, Stage } from '../../domain/redaction/index.ts';
import type { Page, PageRequest } from '../page.ts';
import type { RedactionPolicyRow } from '../read-models/redaction-policy-row.ts';

/** Reads of redaction policies. Deleted ones are absent. Eventually consistent: see ReadGate. */
export interface RedactionPolicyView {
  readonly get: (tenant: string, id: string) => Promise<RedactionPolicyRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<RedactionPolicyRow>>;
  /**
   * The rules of all policies that apply to the stage, the oldest policy first, as of the last answer to a write (see
   * RowMarks). Never a part of them: it throws.
   */
  readonly rulesFor: (tenant: string, stage: Stage) => Promise<readonly RedactionRule[]>;
}
