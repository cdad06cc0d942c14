import type { Page, PageRequest } from '../page.ts';
import type { ConversationRow } from '../read-models/conversation-row.ts';

/** Lists of conversations. Eventually consistent, see ReadGate; but deleted ones are absent at once, see RowMarks. */
export interface ConversationView {
  /**
   * Newest first, those of one principal (null: of none). `only` leaves those whose answers may tell of no other source
   * groups. `after` may be any id: a deleted conversation has no row here.
   */
  readonly list: (
    tenant: string,
    principal_id: string | null,
    page: PageRequest,
    only: readonly string[] | null,
  ) => Promise<Page<ConversationRow>>;
}
