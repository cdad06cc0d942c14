import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import type { ViewProgress } from '../../adapters/postgres/projections/progress.ts';
import type { ApiKeyMarks } from '../../application/ports/api-key-marks.ts';
import type { ApiKeyView } from '../../application/ports/api-key-view.ts';
import type { AuthzView } from '../../application/ports/authz-view.ts';
import type { ConversationView } from '../../application/ports/conversation-view.ts';
import type { DataSourceView } from '../../application/ports/data-source-view.ts';
import type { DueSchedules } from '../../application/ports/due-schedules.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { RedactionPolicyView } from '../../application/ports/redaction-policy-view.ts';
import type { RowMarks } from '../../application/ports/row-marks.ts';
import type { SecretView } from '../../application/ports/secret-view.ts';
import type { SourceGroupView } from '../../application/ports/source-group-view.ts';
import type { TagView } from '../../application/ports/tag-view.ts';
import type { Withheld } from '../../application/ports/withheld.ts';

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
