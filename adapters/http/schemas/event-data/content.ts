import Type, { type TProperties, type TSchema } from 'typebox';
import type { IngestionSettingEvent } from '../../../../domain/ingestion-setting/index.ts';
import type { SourceEvent } from '../../../../domain/source/events.ts';
import { MetadataType, SourceType } from '../source.ts';
import { Count, type DataOf, fact, Millis, orNull, Sha256, Uuid } from './facts.ts';
import { Parameters } from './parameters.ts';

const Schedule = Type.Object({ rrule: Type.String(), start: Millis });

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
