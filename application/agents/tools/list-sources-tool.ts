import { SOURCE_TYPES } from '../../../domain/source/events.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import { type CompiledRules, redact } from '../../redaction/redactor.ts';
import { id, list, PAGE, PAGINATION, record, text, whole } from './argument-schema.ts';
import type { Definition } from './define.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import { type PageArguments, listing, pageOf, paginationOf } from './filter-arguments.ts';

interface Args extends PageArguments {
  readonly sourceGroupId?: string;
  readonly sourceType?: string;
  readonly fileType?: string;
  readonly url?: string;
}

const SHOWN_SOURCE = record(
  {
    id: text('Of the document'),
    sourceGroupId: text('Of the source group that it belongs to'),
    sourceType: text('How it came here'),
    title: text('Words of the document'),
    url: text('Where it was read'),
    fileType: text('Absent until it is indexed'),
    status: text('Whether it can be found', { enum: ['indexed', 'skipped', 'failed'] }),
    skipReason: text('Why it was left out'),
    lastSeenTime: whole('Unix time in seconds'),
    indexedTime: whole('Unix time in seconds; absent until it is indexed'),
    contentCount: whole('Passages that can be found'),
  },
  ['fileType', 'skipReason', 'indexedTime'],
);

export const listSourcesTool = ({ sources, rulesFor }: KnowledgeToolDeps): Definition<Args> => ({
  name: 'list_sources',
  title: 'List the documents',
  description:
    'Lists the documents of the knowledge base, newest first, page by page: what there is, by source group, kind, file ' +
    'type or URL. To find what documents say, use search.',
  scope: 'knowledge:read',
  readOnly: true,
  properties: {
    sourceGroupId: id('Only documents of this source group'),
    sourceType: text('Only documents of this kind of source', { enum: SOURCE_TYPES }),
    fileType: text('Only this file type, such as pdf or html', { minLength: 1, maxLength: 20 }),
    url: text('Only the document with exactly this URL', { minLength: 1, maxLength: 2048 }),
    ...PAGE,
  },
  required: [],
  result: record({ sources: list(SHOWN_SOURCE, 'Newest first'), pagination: PAGINATION }),
  run: async ({ caller, onBehalfOf }, args, { links }) => {
    const { sourceGroupId, sourceType, fileType, url } = args;
    const filter = {
      ...(sourceGroupId !== undefined && { sourceGroupId: sourceGroupId.toLowerCase() }),
      ...(sourceType !== undefined && { sourceType }),
      ...(fileType !== undefined && { fileType }),
      ...(url !== undefined && { url: links.stored(url) }),
    };
    const request = pageOf(args);
    const page = await sources.list(caller, filter, request, onBehalfOf);
    const rules = await rulesFor(caller.tenant);
    const rows = page.rows.map((row) => ({ ...shownSource(row, rules), url: links.external(row.url) }));
    const pagination = paginationOf(page, request);
    const lines = rows.map(({ id: of, title, url: at, status }) => ({ id: of, title, url: at, status }));
    return {
      data: { sources: rows, pagination },
      text: listing('documents', lines, pagination),
    };
  },
});

const shownSource = (source: SourceRecord, rules: CompiledRules) => ({
  id: source.id,
  sourceGroupId: source.sourceGroupId,
  sourceType: source.sourceType,
  title: redact(source.title, rules).text,
  url: source.url,
  ...(source.fileType !== null && { fileType: source.fileType }),
  status: source.status,
  ...(source.skipReason !== null && { skipReason: source.skipReason }),
  lastSeenTime: source.lastSeenTime,
  ...(source.indexedTime !== null && { indexedTime: source.indexedTime }),
  contentCount: source.contentCount,
});
