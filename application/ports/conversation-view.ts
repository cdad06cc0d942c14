import type { Page, PageRequest } from './page.ts';

/** One conversation as it is listed: nothing of what was said. */
export interface ConversationRow {
  readonly id: string;
  readonly tenant: string;
  readonly principalId: string | null;
  /** The source groups that its answers may tell of; null: every one. */
  readonly sourceGroupIds: readonly string[] | null;
  /** Questions and answers, those included that failed or are still being written. */
  readonly messageCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: bigint;
}

/** Lists of conversations. Eventually consistent, see ReadGate; but deleted ones are absent at once, see RowOverlay. */
export interface ConversationView {
  /**
   * Newest first, those of one principal (null: of none). `only` leaves those whose answers may tell of no other source
   * groups. `after` may be any id: a deleted conversation has no row here.
   */
  readonly list: (
    tenant: string,
    principalId: string | null,
    page: PageRequest,
    only: readonly string[] | null,
  ) => Promise<Page<ConversationRow>>;
}
