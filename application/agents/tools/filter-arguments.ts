import { SOURCE_TYPES } from '../../../domain/source/events.ts';
import { snakeCase } from '../../../domain/shared/key-case.ts';
import { filterFrom } from '../../search/filter-fields.ts';
import type { RetrievalFilter } from '../../search/retrieval-filter.ts';
import { id, list, type Properties, whole } from './argument-schema.ts';

export interface FilterArguments {
  readonly sourceGroupIds?: readonly string[];
  readonly tags?: readonly string[];
  readonly sourceTypes?: readonly string[];
  readonly fileTypes?: readonly string[];
  readonly dateFrom?: number;
  readonly dateTo?: number;
  readonly domains?: readonly string[];
  readonly sourceMetadata?: object;
  readonly chunkMetadata?: object;
}

const UNIX_TIME = { minimum: 0, maximum: 253_402_300_799 };
const UP_TO_100 = { maxItems: 100 };
const FORM =
  '{"logic": "AND" or "OR", "filters": [{"key", "operator": eq, ne, gt, gte, lt, lte, between, in, nin, contains, ' +
  'starts_with or exists, "val" ("min" and "max" for between)}], "groups": [more of these]}';

/** What search and ask leave out; every argument that is given must hold. */
export const FILTER: Properties = {
  sourceGroupIds: list(id('Id of a source group'), 'Only documents of these source groups, by id', UP_TO_100),
  tags: list(
    { type: 'string', maxLength: 200 },
    'Only documents of source groups that carry one of these tags, by name',
    UP_TO_100,
  ),
  sourceTypes: list(
    { type: 'string', enum: SOURCE_TYPES },
    'Only documents of these kinds of source',
    UP_TO_100,
  ),
  fileTypes: list(
    { type: 'string', minLength: 1, maxLength: 20 },
    'Only documents of these file types, such as pdf, html, md or docx',
    UP_TO_100,
  ),
  dateFrom: whole('Only what was indexed at or after this Unix time in seconds', UNIX_TIME),
  dateTo: whole('Only what was indexed at or before this Unix time in seconds', UNIX_TIME),
  domains: list(
    { type: 'string', minLength: 1, maxLength: 253 },
    'Only pages whose host is one of these or lies under one',
    UP_TO_100,
  ),
  sourceMetadata: { type: 'object', description: `Conditions on the metadata of documents: ${FORM}` },
  chunkMetadata: {
    type: 'object',
    description: `Conditions on passages, such as page_number and heading: ${FORM}`,
  },
};

/** @throws DomainError filter_invalid */
export const filterOf = ({ sourceMetadata, chunkMetadata, ...fields }: FilterArguments): RetrievalFilter =>
  filterFrom({
    tags: fields.tags,
    sourceGroupIds: fields.sourceGroupIds,
    sourceTypes: fields.sourceTypes,
    fileTypes: fields.fileTypes,
    dateFrom: fields.dateFrom,
    dateTo: fields.dateTo,
    domains: fields.domains,
    onSources: { [snakeCase('sourceMetadata')]: sourceMetadata },
    onChunks: { [snakeCase('chunkMetadata')]: chunkMetadata },
  });
