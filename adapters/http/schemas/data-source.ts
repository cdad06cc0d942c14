import Type, { type Static, type TProperties } from 'typebox';
import { JOB_ERROR_TITLES, JOB_STATUSES } from '../../../domain/data-source/index.ts';
import { closed, CursorPagination, DeletedAt, Id, Limit, pageFields, UnixSeconds } from './common.ts';

export const JobStatus = Type.Enum([...JOB_STATUSES]);

export const IngestionError = Type.Object({
  title: Type.String({
    description: `A short stable phrase, one of: ${JOB_ERROR_TITLES.join(', ')}. Later versions may add some`,
  }),
  message: Type.String({
    description:
      'What happened to what. Of a job that is `queued`: what it waits for before another attempt. Of a crawl that is a `success`: that it lost more than 5 % of its pages',
  }),
});

export const ConnectionTest = Type.Object({
  reached: Type.Boolean({ description: 'Whether the provider let the secret in and has what is named' }),
  items: Type.Optional(
    Type.Integer({ description: 'Of the first page of its listing; where it was reached' }),
  ),
  more: Type.Optional(Type.Boolean({ description: 'Whether the listing goes on behind them' })),
  first_item: Type.Optional(Type.String({ description: 'Locator of the first one' })),
  error: Type.Optional(
    Type.Object(
      { code: Type.String(), ...IngestionError.properties },
      { description: 'What a job would fail with; where it was not reached' },
    ),
  ),
});
export type ConnectionTest = Static<typeof ConnectionTest>;

const MetadataRecord = Type.Object({
  key: Type.String(),
  val: Type.String(),
  type: Type.Enum(['string']),
});

export const Progress = Type.Object(
  {
    seen: Type.Integer({ description: 'Visited: the sum of the four that follow' }),
    indexed: Type.Integer(),
    unchanged: Type.Integer(),
    skipped: Type.Integer(),
    failed: Type.Integer(),
    bytes: Type.Integer(),
    named_items: Type.Optional(
      Type.Boolean({
        description:
          'Present and true of a job over named items: its counts tell of these, not of the data source',
      }),
    ),
  },
  { description: 'Counts of the running job, told every 2 s, or of the last one' },
);
export type Progress = Static<typeof Progress>;

/** Fields of the records of all kinds. */
export const dataSourceFields = {
  id: Id,
  name: Type.String(),
  status: JobStatus,
  ingestion_setting_id: Id,
  creation_time: UnixSeconds,
  start_time: Type.Optional(UnixSeconds),
  end_time: Type.Optional(UnixSeconds),
  error: Type.Optional(IngestionError),
  progress: Progress,
  metadata: Type.Object({ records: Type.Array(MetadataRecord) }),
  deleted_at: DeletedAt,
};
const DataSourceRecord = Type.Object(dataSourceFields);
export type DataSourceRecord = Static<typeof DataSourceRecord>;

export const ReservedMetadata = closed(
  {
    records: Type.Optional(
      Type.Array(
        closed({
          key: Type.String({ minLength: 1, maxLength: 200 }),
          val: Type.String({ maxLength: 2000 }),
          type: Type.Optional(Type.Enum(['string'])),
        }),
        { maxItems: 100 },
      ),
    ),
  },
  { description: 'Reserved for future use' },
);

export const rule = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `RFC 5545 recurrence rule; ${description}`,
  });
export const RecurrenceRule = rule('null: no schedule');

export const SyncMode = Type.Enum(['incremental', 'full'], {
  default: 'incremental',
  description: '`full` does not trust what earlier jobs know',
});

/** A sync of all items, or only of named ones; `locators` describes the field. */
export const syncOf = (locators: string) =>
  closed(
    {
      locators: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
          minItems: 1,
          maxItems: 100,
          description: locators,
        }),
      ),
      mode: Type.Optional(SyncMode),
    },
    { examples: [{ mode: 'incremental' }] },
  );

/** The secret for a provider; `types` says which types it accepts. */
export const secretGiven = (types: string) =>
  Type.Optional(Type.String({ ...Id, description: secretOf(types) }));
export const secretChanged = (types: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      ...Id,
      type: ['string', 'null'],
      description: `${secretOf(types)}; null removes it`,
    }),
  );
/** For a provider that cannot be read without a secret. */
export const secretNeeded = (types: string) =>
  Type.Optional(
    Type.String({ ...Id, description: `${secretOf(types)}. Without it the request is refused (400)` }),
  );
const secretOf = (types: string): string => `Id of the secret that ${types}`;

/** The record of a setting, with the parameters of its kind, and what follows the schedule. */
export const settingSchema = <Own extends TProperties, Last extends TProperties>(own: Own, last: Last) =>
  Type.Object({
    deleted_at: DeletedAt,
    id: Id,
    name: Type.String(),
    ...own,
    rrule: Type.Optional(Type.String()),
    ...last,
  });
export const secretShown = { secret_id: Type.Optional(Id) };

/** Filters of a list of data sources. */
export const DataSourceListQuery = closed({
  ...pageFields,
  status: Type.Optional(JobStatus),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'How the name begins, in upper or lower case' }),
  ),
});

/** The locator after which errors are fetched; `item` describes it. */
export const itemErrorsQuery = (item: string) =>
  closed({
    limit: Type.Optional(Limit),
    after: Type.Optional(
      Type.String({ maxLength: 2048, description: `Fetch errors after this locator: ${item}` }),
    ),
    next_id: Type.Optional(Type.String({ maxLength: 2048, description: 'Another name of `after`' })),
  });
export type ItemErrorsQuery = Static<ReturnType<typeof itemErrorsQuery>>;

/** Errors of items, in pages. `locator` describes the locator of an item; `more`: further response fields of a kind. */
export const itemErrors = <More extends TProperties>(locator: string, more: More) =>
  Type.Object({
    errors: Type.Array(
      Type.Object({
        locator: Type.String({ description: locator }),
        code: Type.String(),
        message: Type.String(),
        time: UnixSeconds,
        attempt: Type.Integer(),
      }),
    ),
    ...more,
    pagination: CursorPagination,
  });

export const OccurrencesQuery = closed({ limit: Type.Optional(Limit) });
export const Occurrences = Type.Object({
  occurrences: Type.Array(UnixSeconds, { description: 'When the schedule fires next, ascending' }),
});
