import type { Page, PageRequest } from './page.ts';

/** A conversation as it is listed, without the texts of its messages. */
export interface ConversationRow {
  readonly id: string;
  readonly tenant: string;
  readonly principalId: string | null;
  /** The source groups that its answers may reveal; null: all. */
  readonly sourceGroupIds: readonly string[] | null;
  /** The message that it began with. Absent before there is one. */
  readonly firstQuestionId?: string;
  /** Number of questions and answers, including failed and unfinished answers. */
  readonly messageCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: bigint;
}

/**
 * Lists conversations. Eventually consistent (see ReadGate), but a deleted conversation disappears at once (see
 * RowOverlay).
 */
export interface ConversationView {
  /**
   * Lists the conversations of one principal (null: of no principal), newest first. With `only`, the list contains only
   * conversations whose answers reveal no other source groups. `after` may be any id, because a deleted conversation
   * has no row here.
   */
  readonly list: (
    tenant: string,
    principalId: string | null,
    page: PageRequest,
    only: readonly string[] | null,
  ) => Promise<Page<ConversationRow>>;
}
