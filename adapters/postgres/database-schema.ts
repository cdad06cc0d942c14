import {
  CamelCasePlugin,
  type ColumnType,
  type Generated,
  type Kysely,
  type PluginTransformQueryArgs,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely';
import type { AgentRunRow, AgentThreadRow } from '../../application/ports/agent-view.ts';
import type { ApiKeyRow, AuthzPolicyRow, AuthzSubjectRow } from '../../application/ports/access-views.ts';
import type { ConversationRow } from '../../application/ports/conversation-view.ts';
import type { DataSourceRow, IngestionSettingRow } from '../../application/ports/data-source-view.ts';
import type { RedactionPolicyRow } from '../../application/ports/redaction-policy-view.ts';
import type { SecretRow } from '../../application/ports/secrets.ts';
import type { WebhookRow } from '../../application/ports/webhooks.ts';
import type { SourceRow } from '../../application/read-models/source-row.ts';
import { camelKeys, snakeCase } from '../../domain/shared/key-case.ts';

/** jsonb: read as a value with camelCase keys, written as JSON text with snake_case keys. */
type Json<Value> = ColumnType<Value, string | null, string | null>;
/** A time by the database clock: written as an SQL expression. */
type Time = ColumnType<Date, Date | RawBuilder<Date>, Date | RawBuilder<Date>>;
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** A view with one row per stream; see `createRowProjection`. */
interface RowTable<Row> {
  readonly id: string;
  readonly revision: number;
  readonly doc: Json<Omit<Row, 'revision'>>;
  readonly tenant: string;
}
interface CountTable {
  readonly tenant: string;
  readonly list: string;
  readonly n: number;
}

interface ProjectionVersionTable {
  readonly view: string;
  readonly version: number;
  readonly shape: number;
  readonly live: boolean;
  readonly position: string;
  readonly movedAt: Date;
  readonly haltedAtPosition: string | null;
  readonly haltedBecause: string | null;
}

interface ProjectionPassedStreamTable {
  readonly view: string;
  readonly version: number;
  readonly stream: string;
  readonly example: string;
  readonly because: 'cut' | 'foreign';
  readonly events: number;
}

interface SourceTable {
  readonly no: number;
  readonly id: string;
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly status: SourceRow['status'];
  readonly indexed: Json<SourceRow['indexed']>;
}

interface WorkLeaseTable {
  readonly id: string;
  readonly tenant: string;
  readonly owner: string;
  readonly token: number;
  readonly kind: string;
  readonly attempt: number;
  readonly until: Time;
  readonly notBefore: OptionalTime;
  readonly lasting: Generated<number>;
  readonly leaving: Generated<boolean>;
}

interface CrawlPageTable {
  readonly dataSourceId: string;
  readonly url: string;
  readonly generation: number;
  readonly depth: number;
  readonly outcome: string | null;
  readonly sourceId: string | null;
  readonly sourceGeneration: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly rawSha256: string | null;
  readonly links: readonly string[];
  readonly visitedAt: number | null;
  readonly attempt: number;
}

interface ItemTable {
  readonly dataSourceId: string;
  readonly locator: string;
  readonly generation: number;
  readonly outcome: string;
  readonly sourceId: string | null;
  readonly fingerprint: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly bytes: number;
  readonly visitedAt: number;
  readonly attempt: number;
}

interface ItemListingTable {
  readonly dataSourceId: string;
  readonly generation: number;
  readonly cursor: string | null;
  readonly complete: boolean;
  readonly mark: string | null;
  readonly markGeneration: number | null;
  readonly heardAt: number | null;
}

/** A row that a view does not contain yet; a null `doc` means that the row is deleted. */
interface OverlayTable {
  readonly view: string;
  readonly id: string;
  readonly tenant: string;
  readonly doc: Json<object | null>;
  readonly revision: number | bigint;
  readonly position: string;
}

interface SourceTombstoneTable {
  readonly sourceId: string;
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly revision: number | bigint;
  readonly generation: number;
  readonly position: string;
  readonly files: readonly string[];
}

/** Tables and views by their camelCase names, as far as builder statements use them. */
export interface Database {
  readonly projectionVersion: ProjectionVersionTable;
  readonly projectionPassedStream: ProjectionPassedStreamTable;
  readonly 'read.agentRun': RowTable<AgentRunRow>;
  readonly 'read.agentThread': RowTable<AgentThreadRow>;
  readonly 'read.apiKey': RowTable<ApiKeyRow> & { readonly keyHash: string };
  readonly 'read.apiKeyCount': CountTable;
  readonly 'read.authzPolicy': RowTable<AuthzPolicyRow> & { readonly name: string };
  readonly 'read.authzPolicyCount': CountTable;
  readonly 'read.authzSubject': RowTable<AuthzSubjectRow> & { readonly name: string };
  readonly 'read.authzSubjectCount': CountTable;
  readonly 'read.content': { readonly no: number; readonly id: string; readonly dataSourceId: string };
  readonly 'read.conversation': RowTable<ConversationRow> & { readonly principal: string };
  readonly 'read.conversationCount': CountTable;
  readonly 'read.dataSource': RowTable<DataSourceRow> & {
    readonly kind: string;
    readonly status: DataSourceRow['status'];
    readonly statusSince: number;
    readonly ingestionSettingId: string | null;
  };
  readonly 'read.ingestionSetting': RowTable<IngestionSettingRow> & { readonly dataSourceId: string };
  readonly 'read.redactionPolicy': RowTable<RedactionPolicyRow> & { readonly deleted: boolean };
  readonly 'read.redactionPolicyCount': CountTable;
  readonly 'read.secret': RowTable<SecretRow> & { readonly deleted: boolean };
  readonly 'read.secretCount': CountTable;
  readonly 'read.source': SourceTable;
  readonly 'read.webhook': RowTable<WebhookRow> & { readonly deleted: boolean; readonly enabled: boolean };
  readonly 'read.webhookCount': CountTable;
  readonly 'read.tagGoneGroup': { readonly sourceGroupId: string };
  readonly 'vault.key': {
    readonly owner: string;
    readonly tenant: string;
    readonly wrapped: Buffer;
    readonly masterKeyId: string;
  };
  readonly 'vectors.content': { readonly modelNo: number };
  readonly 'vectors.embedding': { readonly modelNo: number };
  readonly 'vectors.model': {
    readonly no: Generated<number>;
    readonly name: string;
    readonly dimensions: ColumnType<number | null, never, number>;
    readonly wantedAt: Time;
  };
  readonly 'work.answerHold': { readonly answerId: string; readonly until: Time };
  readonly 'work.crawlPage': CrawlPageTable;
  readonly 'work.lastUse': { readonly id: string; readonly usedAt: number };
  readonly 'work.rowMark': OverlayTable;
  readonly 'work.scheduleTick': {
    readonly ingestionSettingId: string;
    readonly settingRevision: number;
    readonly nextDue: number | null;
  };
  readonly 'work.secretRenewal': { readonly secretId: string; readonly holder: string; readonly until: Time };
  readonly 'work.unit': ItemTable;
  readonly 'work.unitListing': ItemListingTable;
  readonly 'work.uploadUnderWay': {
    readonly id: string;
    readonly tenant: string;
    readonly createdId: string | null;
    readonly until: Time;
  };
  readonly 'work.withheldDataSource': { readonly dataSourceId: string; readonly tenant: string };
  readonly 'work.withheldSource': SourceTombstoneTable;
  readonly 'work.workLease': WorkLeaseTable;
}

/** A pool, a connection or a transaction. */
export type Sql = Kysely<Database>;

/**
 * Columns, and the keys of JSON in them, are snake_case in the database and camelCase in rows. Kysely's builder takes
 * camelCase names; raw SQL is sent as written.
 */
export class CamelRows extends CamelCasePlugin {
  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return args.node.kind === 'RawNode' ? args.node : super.transformQuery(args);
  }

  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    return camelKeys(row) as Record<string, unknown>;
  }
}

/** A column, from its camelCase name. */
export const column = (name: string): RawBuilder<unknown> => sql.id(snakeCase(name));

/** An array of ids or texts as one parameter: `= any(…)`. */
export const anyOf = <Value>(values: readonly Value[], type: string): RawBuilder<Value> =>
  sql<Value>`any(${values}::${sql.raw(type)}[])`;

/** The database clock. */
export const NOW = sql<Date>`now()`;

/** The database clock plus `ms`. */
export const fromNow = (ms: number): RawBuilder<Date> => sql<Date>`now() + ${ms} * interval '1 millisecond'`;
