import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import type { ViewProgress } from '../../adapters/postgres/projections/progress.ts';
import type { ApiKeyMarks, Withheld, RowMarks } from '../../application/ports/read-your-writes.ts';
import type { ApiKeyView, AuthzView } from '../../application/ports/access-views.ts';
import type { ConversationView } from '../../application/ports/conversation-view.ts';
import type { DataSourceView } from '../../application/ports/data-source-view.ts';
import type { DueSchedules } from '../../application/ports/recurrence.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { RedactionPolicyView } from '../../application/ports/redaction-policy-view.ts';
import type { SecretView } from '../../application/ports/secrets.ts';
import type { SourceGroupView, TagView } from '../../application/ports/source-group-view.ts';

/** Read models but the catalog, and what is told of their rows before they show it. */
export interface ViewServices {
  Projections: readonly Projection[];
  ViewProgress: ViewProgress;
  ReadGate: ReadGate;
  ApiKeyView: ApiKeyView;
  AuthzView: AuthzView;
  ConversationView: ConversationView;
  DataSourceView: DataSourceView;
  DueSchedules: DueSchedules;
  RedactionPolicyView: RedactionPolicyView;
  SourceGroupView: SourceGroupView;
  SecretView: SecretView;
  TagView: TagView;
  ApiKeyMarks: ApiKeyMarks;
  RowMarks: RowMarks;
  Withheld: Withheld;
}
