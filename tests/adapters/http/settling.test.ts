import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../adapters/http/data-sources/kinds.ts';
import type { ViewName } from '../../../application/ports/read-gate.ts';
import { PROJECTIONS } from '../../support/views.ts';
import { CASES } from './every-operation.ts';
import { ID } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

type Fact = readonly [category: string, type: string];

type Write = readonly [write: string, ...facts: Fact[]];
type Writes = readonly [write: RegExp, ...facts: Fact[]];

const CREATION: readonly Fact[] = [
  ['dataSource', 'DataSourceRegistered'],
  ['dataSource', 'JobQueued'],
  ['ingestionSetting', 'IngestionSettingCreated'],
];

/** What the writes append that every kind of data source may have. */
const writesOf = ({ kind, path, create, sync, settingsPath, namesSecret }: (typeof KINDS)[number]) => {
  const secret = (type: string): readonly Fact[] => (namesSecret === true ? [['secret', type]] : []);
  const handedOff: readonly Fact[] = kind === 'push' ? [['dataSource', 'JobHandedOff']] : [];
  const writes: readonly (Write | undefined)[] = [
    create && [`POST ${path}`, ...CREATION, ...handedOff, ...secret('SecretAttached')],
    [`DELETE ${path}`, ['dataSource', 'DataSourceDeletionRequested'], ...secret('SecretDetached')],
    [`POST ${path}/cancel`, ['dataSource', 'JobCancelRequested']],
    sync && [`POST ${path}/sync`, ['dataSource', 'JobQueued']],
    settingsPath === undefined
      ? undefined
      : [
          `PUT ${settingsPath}`,
          ['ingestionSetting', 'IngestionParametersChanged'],
          ...secret('SecretAttached'),
        ],
  ];
  return writes
    .filter((write) => write !== undefined)
    .map(([write, ...facts]): Writes => [new RegExp(`^${write.replace(' /', ' ')}$`), ...facts]);
};

/** What the writes at these paths append. */
const WRITES: readonly Writes[] = [
  ...KINDS.flatMap(writesOf),
  [
    /^POST local-file-groups$/,
    ['dataSource', 'DataSourceRegistered'],
    ['dataSource', 'FilesUploaded'],
    ['dataSource', 'JobQueued'],
    ['ingestionSetting', 'IngestionSettingCreated'],
  ],
  [/^POST local-file-groups\/files$/, ['dataSource', 'FilesUploaded'], ['dataSource', 'JobQueued']],
  [/^POST pushes\/jobs$/, ['dataSource', 'JobQueued'], ['dataSource', 'JobHandedOff']],
  [/^POST pushes\/jobs\/[^/]+\/complete$/, ['dataSource', 'JobSucceeded']],
  [/^POST pushes\/jobs\/[^/]+\/fail$/, ['dataSource', 'JobFailed']],
  [/^PUT source-groups\/sources\//, ['source', 'SourceIndexed']],
  [/^DELETE source-groups\/sources\//, ['source', 'SourceRemoved']],
  [/^PUT sources\/metadata$/, ['source', 'SourceMetadataReplaced']],
  [/^DELETE sources\/metadata$/, ['source', 'SourceMetadataDeleted']],
  [/^DELETE sources$/, ['source', 'SourceRemoved']],
  [/^PUT source-groups$/, ['ingestionSetting', 'IngestionSettingRenamed']],
  [/^(?:POST|PUT|DELETE) tags$/, ['tag', 'TagCreated']],
  [/^(?:POST|DELETE) tag-source-groups$/, ['tag', 'TagBound']],
  [/^(?:POST|PUT|DELETE) redaction-policies$/, ['redactionPolicy', 'RedactionPolicyCreated']],
  [/^(?:POST|PUT|DELETE) authz-policies$/, ['authzPolicy', 'AuthzPolicyCreated']],
  [/^(?:PUT|DELETE) authz-subject-attributes$/, ['authzSubject', 'AuthzAttributesSet']],
  [/^(?:POST|DELETE) api-keys(?:\/rotate)?$/, ['apiKey', 'ApiKeyIssued']],
  [/^(?:POST|PUT|DELETE) secrets$/, ['secret', 'SecretCreated']],
  [/^(?:POST|PUT|DELETE) webhooks(?:\/rotate-secret)?$/, ['webhook', 'WebhookCreated']],
  [
    /^POST agent-runs$/,
    ['agentThread', 'AgentThreadStarted'],
    ['agentThread', 'RunAdmitted'],
    ['agentRun', 'RunQueued'],
  ],
  [/^POST agent-runs\/cancel$/, ['agentRun', 'RunCancelRequested']],
  [/^DELETE agent-threads$/, ['agentThread', 'AgentThreadDeleted']],
  [/^DELETE conversations$/, ['conversation', 'ConversationDeleted']],
];

/** `DELETE sources/metadata`: without ids, names and queries. */
const writeOf = (method: string, path: string): string => {
  const [kind, ...rest] = path
    .replace(/^\/api\/v1\/|\?.*$/g, '')
    .replace('agent/', 'agent-')
    .split('/');
  return [`${method} ${kind}`, ...rest.slice(1)].join('/');
};

/** The views that such a fact changes, but the one for lists of the past, which waits for the end of the log itself. */
const changedBy = ([category, type]: Fact): readonly ViewName[] =>
  PROJECTIONS.filter(
    ({ view, filter, isRelevant }) =>
      view !== 'lifetime' && filter.categories?.includes(category) && (isRelevant?.(type) ?? true),
  ).map(({ view }) => view);

const viewsOf = (write: string): readonly ViewName[] => {
  const [, ...facts] = WRITES.find(([pattern]) => pattern.test(write)) ?? [/^/];
  return [...new Set(facts.flatMap(changedBy))].toSorted();
};

stopServersAfterAll();

describe('the answer to a write', () => {
  it('waits for the views that its facts come to, whatever is written', async () => {
    let waited: (readonly ViewName[])[] = [];
    const app = await runApp(() => ({ gate: { reached: async (views) => (waited.push(views), true) } }));
    const found = new Map<string, readonly (readonly ViewName[])[]>();
    for (const { method, path, ask } of CASES) {
      waited = [];
      const { headers } = await app.ask(method, path, ask);
      if (headers.has('x-position'))
        found.set(
          writeOf(method, path),
          waited.map((views) => views.toSorted()),
        );
    }
    for (const [pattern] of WRITES) expect([...found.keys()].join('\n')).toMatch(new RegExp(pattern, 'm'));
    expect(Object.fromEntries(found)).toStrictEqual(
      Object.fromEntries([...found.keys()].map((write) => [write, [viewsOf(write)]])),
    );
  });
});

describe('the answer to a read of a stream', () => {
  it.each([
    ['/api/v1/crawls/{id}/events', ['data_source']],
    ['/api/v1/agent/runs/{id}', ['agent_run', 'agent_thread']],
    ['/api/v1/agent/runs/{id}/events', ['agent_run', 'agent_thread']],
  ])('waits for the views that show what it shows: %s', async (path, views) => {
    const waited: (readonly ViewName[])[] = [];
    const app = await runApp(() => ({ gate: { reached: async (all) => (waited.push(all), true) } }));
    const { status, headers } = await app.ask('GET', path.replace('{id}', ID));
    expect([status, headers.has('x-position')]).toEqual([200, false]);
    expect(waited).toEqual([views]);
  });
});
