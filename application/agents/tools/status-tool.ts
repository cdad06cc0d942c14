import { JOB_STATUSES } from '../../../domain/data-source/index.ts';
import type { NamedDataSource } from '../../ports/data-source-view.ts';
import type { SourceGroupRecord } from '../../ports/source-group-view.ts';
import { sourceTypeOf } from '../../sources/source-groups/source-type.ts';
import { id, list, PAGE, PAGINATION, type Properties, record, text, whole } from './argument-schema.ts';
import type { Definition } from './define.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import type { ToolCaller } from './knowledge-tool.ts';
import { type PageArguments, listing, pageOf, paginationOf } from './filter-arguments.ts';

interface Args extends PageArguments {
  readonly sourceGroupId?: string;
}

const COUNTS = ['seen', 'indexed', 'unchanged', 'skipped', 'failed', 'bytes'] as const;
const JOB: Properties = {
  startTime: whole('Unix time in seconds; absent until it starts'),
  endTime: whole('Unix time in seconds; absent until it has ended'),
  error: record({ title: text('What went wrong'), message: text('What happened to what') }),
  progress: record(Object.fromEntries(COUNTS.map((name) => [name, { type: 'integer' }]))),
};
const GROUP = record(
  {
    id: text('Of the source group'),
    name: text('Given by people'),
    sourceType: text('Kind of source: a crawl, files, a repository …'),
    status: text('Of the newest job', { enum: JOB_STATUSES }),
    sourceCount: whole('Documents'),
    contentCount: whole('Passages that can be found'),
    creationTime: whole('Unix time in seconds'),
    job: {
      ...record(JOB, ['startTime', 'endTime', 'error']),
      description: 'The newest job; of one source group alone, and for keys with ingestion:manage alone',
    },
  },
  ['job'],
);

export const statusTool = (deps: KnowledgeToolDeps): Definition<Args> => ({
  name: 'status',
  title: 'Status of crawls and other sources',
  description:
    'Tells how far crawls and all other kinds of sources are: all source groups page by page, newest first, or one by ' +
    'its id. Use it when something is missing, to see whether it is still being read.',
  scope: 'knowledge:read',
  readOnly: true,
  properties: { sourceGroupId: id('This source group alone'), ...PAGE },
  required: [],
  result: record({ sourceGroups: list(GROUP, 'Newest first'), pagination: PAGINATION }),
  run: async (by, args) => {
    const { caller, onBehalfOf } = by;
    const { sourceGroupId } = args;
    const request = pageOf(args);
    const page =
      sourceGroupId === undefined
        ? await deps.sourceGroups.list(caller, request, onBehalfOf)
        : onlyOne(await deps.sourceGroups.get(caller, sourceGroupId.toLowerCase(), onBehalfOf));
    const job = sourceGroupId === undefined ? null : await jobOf(deps, by, page.rows[0]!);
    const sourceGroups = page.rows.map((row) => ({ ...shownGroup(row), ...(job !== null && { job }) }));
    const pagination = paginationOf(page, request);
    const lines = page.rows.map(({ id: of, name, status, sourceCount, contentCount }) => ({
      id: of,
      name,
      status,
      documents: sourceCount,
      passages: contentCount,
    }));
    const jobLines = job === null ? [] : [`Its newest job: ${JSON.stringify(job)}`];
    return {
      data: { sourceGroups, pagination },
      text: [listing('source groups', lines, pagination), ...jobLines].join('\n'),
    };
  },
});

const onlyOne = (group: SourceGroupRecord) => ({ rows: [group], hasMore: false, total: 1 });

const shownGroup = (group: SourceGroupRecord) => ({
  id: group.id,
  name: group.name,
  sourceType: sourceTypeOf(group.kind),
  status: group.status,
  sourceCount: group.sourceCount,
  contentCount: group.contentCount,
  creationTime: seconds(group.createdAt),
});

const jobOf = async (
  { dataSources }: KnowledgeToolDeps,
  { caller }: ToolCaller,
  { id: of, kind }: SourceGroupRecord,
) => {
  if (!caller.grant.scopes.includes('ingestion:manage')) return null;
  const { row } = await dataSources.get(caller, kind, of);
  return shownJob(row);
};

const shownJob = ({ startedAt, endedAt, error, counts }: NamedDataSource['row']) => ({
  ...(startedAt !== null && { startTime: seconds(startedAt) }),
  ...(endedAt !== null && { endTime: seconds(endedAt) }),
  ...(error !== null && { error: { title: error.title, message: error.message } }),
  progress: Object.fromEntries(COUNTS.map((name) => [name, counts[name]])),
});

const seconds = (ms: number): number => Math.floor(ms / 1000);
