import type { Authenticate } from '../../application/api-key/authenticate.ts';
import type { ApiKeyOperations } from '../../application/api-key/operations.ts';
import type { AuditOperations } from '../../application/audit/operations.ts';
import type { AccessTo } from '../../application/authz/access.ts';
import type { AuthzPolicyOperations } from '../../application/authz/policy-operations.ts';
import type { AuthzSubjectOperations } from '../../application/authz/subject-operations.ts';
import type { ConversationOperations } from '../../application/conversation/operations.ts';
import type { AuditTrail } from '../../application/data-source/audit-trail.ts';
import type { ReadUnitErrors } from '../../application/ingestion/unit-errors.ts';
import type { CreateDataSource } from '../../application/ingestion/create-data-source.ts';
import type { DataSourceOperations } from '../../application/ingestion/operations.ts';
import type { IngestionSettingOperations } from '../../application/ingestion/setting-operations.ts';
import type { TextPatterns } from '../../application/ports/text-patterns.ts';
import type { HidingFor } from '../../application/redaction/hiding.ts';
import type { RedactionPolicyOperations } from '../../application/redaction/operations.ts';
import type { PoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import type { Scheduling } from '../../application/schedule/scheduling.ts';
import type { SecretCredentials } from '../../application/ports/credentials.ts';
import type { SecretTexts } from '../../application/secret/kept-value.ts';
import type { SecretOperations } from '../../application/secret/operations.ts';
import type { SecretUses } from '../../application/secret/uses.ts';
import type { SearchOperations } from '../../application/retrieval/operations.ts';
import type { SourceOperations } from '../../application/source/operations.ts';
import type { SourceGroupOperations } from '../../application/source-group/operations.ts';
import type { TagBindingOperations } from '../../application/tag/binding-operations.ts';
import type { AddFiles } from '../../application/upload/add-files.ts';
import type { CreateGroup } from '../../application/upload/create-group.ts';
import type { TagOperations } from '../../application/tag/operations.ts';

/** What the driving adapters call, and the rules that hold for all of it. */
export interface OperationServices {
  Authenticate: Authenticate;
  /** What a caller may read: by policy, or all that its key reaches. */
  AccessTo: AccessTo;
  TextPatterns: TextPatterns;
  PoliciesInForce: PoliciesInForce;
  HidingFor: HidingFor;
  Scheduling: Scheduling;
  ApiKeyOperations: ApiKeyOperations;
  AuditOperations: AuditOperations;
  AuditTrail: AuditTrail;
  AuthzPolicyOperations: AuthzPolicyOperations;
  AuthzSubjectOperations: AuthzSubjectOperations;
  ConversationOperations: ConversationOperations;
  UnitErrors: ReadUnitErrors;
  CreateDataSource: CreateDataSource;
  CreateLocalFileGroup: CreateGroup;
  AddLocalFiles: AddFiles;
  DataSourceOperations: DataSourceOperations;
  IngestionSettingOperations: IngestionSettingOperations;
  RedactionPolicyOperations: RedactionPolicyOperations;
  SecretOperations: SecretOperations;
  SecretUses: SecretUses;
  SecretTexts: SecretTexts;
  /** For connectors: what to ask a provider with. */
  SecretCredentials: SecretCredentials;
  SearchOperations: SearchOperations;
  SourceOperations: SourceOperations;
  SourceGroupOperations: SourceGroupOperations;
  TagOperations: TagOperations;
  TagBindingOperations: TagBindingOperations;
}
