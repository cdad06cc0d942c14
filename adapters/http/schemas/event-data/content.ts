import type { IngestionSettingEvent, Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { SourceEvent } from '../../../../domain/source/events.ts';
import { MetadataType, SourceType } from '../source.ts';
import {
  Count,
  type DataOf,
  MetadataKey,
  Millis,
  Sha256,
  Texts,
  Uuid,
  fact,
  ofKinds,
  orNull,
} from './facts.ts';
import Type from 'typebox';
import type { TProperties, TSchema } from 'typebox';

const Schedule = Type.Object({ rrule: Type.String(), start: Millis });

/** The parameters of a data source of one kind, as stored in events. */
const Parameters = ofKinds<Parameters>({
  crawl: {
    start_url: Type.String(),
    max_depth: Type.Integer(),
    max_num_files: Type.Integer(),
    path_filters: Texts,
    content_pattern: Texts,
    html_only: Type.Boolean(),
    use_browser: Type.Boolean(),
    no_canonical_check: Type.Boolean(),
    file_extensions: Texts,
  },
  repo: {
    repository: Type.String(),
    reference_type: Type.String(),
    reference_param: Type.String(),
    path_filters: Texts,
    secret_id: orNull(Uuid),
  },
  cloud_drive: { folder_url: Type.String(), secret_id: orNull(Uuid) },
  wiki: { page_id: Type.String(), include_children: Type.Boolean(), secret_id: orNull(Uuid) },
  local_file_group: { chunk_metadata_keys: Type.Array(MetadataKey) },
  push: {},
});

export const INGESTION_SETTING: DataOf<IngestionSettingEvent> = {
  IngestionSettingCreated: fact('Name, parameters and schedule at the beginning', {
    data_source_id: Uuid,
    name: Type.String(),
    parameters: Parameters,
    schedule: orNull(Schedule),
  }),
  IngestionSettingRenamed: fact('Its name from now on', { name: Type.String() }),
  IngestionParametersChanged: fact('All parameters, from the next job on', { parameters: Parameters }),
  ScheduleSet: fact('Its schedule from now on', { schedule: Schedule }),
  ScheduleRemoved: fact('No schedule from now on'),
};

const Job = { job_id: Uuid, generation: Type.Integer() };

const visit = (description: string, properties: TProperties): TSchema =>
  fact(description, {
    data_source_id: Uuid,
    source_type: SourceType,
    locator: Type.String({ description: 'Canonical URL, path or id: what makes the document this document' }),
    ...Job,
    ...properties,
  });

const file = (more: TProperties = {}): TSchema => Type.Object({ sha256: Sha256, bytes: Count, ...more });

export const SOURCE: DataOf<SourceEvent> = {
  SourceIndexed: visit('The document was read, and has changed', {
    url: Type.String(),
    title: Type.String(),
    language: Type.Optional(Type.String()),
    file_type: Type.String(),
    media_type: Type.String(),
    raw: file(),
    chunk_set: file({ chunks: Count }),
  }),
  SourceSkipped: visit('The document is left out', {
    url: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    reason: Type.String(),
  }),
  SourceFailed: visit('The document could not be read', {
    url: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    code: Type.String(),
    message: Type.String(),
  }),
  SourceRemoved: fact('The document is there no more', {
    data_source_id: Uuid,
    reason: Type.String(),
    job_id: orNull(Type.String()),
    generation: Type.Integer(),
  }),
  SourceMetadataReplaced: fact('All metadata of the document, from now on', {
    records: Type.Array(Type.Object({ key: Type.String(), val: Type.String(), type: MetadataType })),
    provided: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), val: Type.String(), type: MetadataType }), {
        description: 'What the provider of the document says of it. Absent: a caller wrote the records',
      }),
    ),
  }),
  SourceMetadataDeleted: fact('No metadata from now on'),
};
