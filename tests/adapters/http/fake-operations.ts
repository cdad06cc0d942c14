import { offerOf, completions, scripted } from '../../support/completions.ts';
import type { UploadPart } from '../../../application/sources/uploads/upload-area.ts';
import { createEventCodec, project } from '../../../application/event-sourcing/event-codec.ts';
import { searchRecord } from '../../../adapters/http/routes/search.ts';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import type { StopSignals } from '../../../adapters/http/stop-signals.ts';
import type { ProofOperations } from '../../../application/audit/proof-operations.ts';
import type { KeptCheckpoint } from '../../../application/ports/log-tree.ts';
import type { SearchOperations } from '../../../application/search/operations.ts';
import type { ApiKeyRecord } from '../../../application/access/api-keys/operations.ts';
import type { ApiKeyRow } from '../../../application/ports/access-views.ts';
import type { ScrapedPage } from '../../../application/sources/scrape/scrape.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Knowledge, knowledgeOver } from './fake-knowledge.ts';
import {
  NOW,
  ID,
  OTHER_ID,
  KEY,
  POSITION,
  keyRow,
  dataSourceOf,
  CANCELED,
  DELETED,
  settingRow,
  settingOf,
  content,
  RAW,
  RAW_SHA,
  source,
  sourceGroup,
  redactionPolicy,
  readers,
  authzSubject,
  secret,
  webhook,
  delivery,
  tag,
  tagBinding,
  conversation,
  auditEntry,
  recorded,
} from './fake-records.ts';
import { fakeAgents } from './fake-agents.ts';

const readAll = async (parts: AsyncIterable<UploadPart>): Promise<void> => {
  for await (const part of parts) {
    if (part.kind === 'file') for await (const _ of part.body);
  }
};

const knownPolicy = (name: string): void => {
  if (name !== readers.name && name !== 'default')
    throw new DomainError('not_found', 'there is no such authz policy');
};

/** Ids that name something; everything else is not found. */
const known = (id: string): void => {
  if (id !== ID && id !== OTHER_ID) throw new DomainError('not_found', 'there is no such thing');
};

const pageOf = <Row>(row: Row) => ({ rows: [row], hasMore: true, total: 3 });
const written = <Record>(record: Record, changed = true) => ({ record, position: POSITION, changed });

async function* all<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const search: SearchOperations['search'] = async (_caller, { mode, query }) => {
  if (mode === 'vector') throw new DomainError('not_configured', 'no embedding provider is set up');
  const results = [{ content, score: 0.5, ranks: { keyword: 1 } }];
  const corrected = query === 'begni' && { correctedQuery: 'begin' };
  return {
    results,
    queryId: OTHER_ID,
    totalCandidates: 1,
    mode: 'keyword',
    reranked: false,
    ...corrected,
  };
};

const CHECKPOINT: KeptCheckpoint = {
  size: 3,
  root: Buffer.alloc(32, 1),
  note: 'log.example\n3\nAQEB\n\n\u2014 log.example AAAA\n',
  signedAt: NOW,
  cosignatures: [],
};
const PROOFS: ProofOperations = {
  checkpoint: async () => CHECKPOINT,
  checkpoints: async (_caller, _after, limit) => Array.from({ length: limit }, () => CHECKPOINT),
  keys: async () => ({ origin: 'log.example', keys: [{ key: 'log.example+00000000+AQ==', since: NOW }] }),
  inclusion: async () => {
    const { id, stream, type, data, metadata } = recorded(1);
    const event = { id, stream, revision: 1, type, data, metadata };
    const hidden = { title: { salt: 'AA==' }, key_hash: { hash: 'AA==' } };
    return {
      line: { index: 1, leaf_hash: 'AA==', event, hidden },
      leaf: '{}',
      path: [CHECKPOINT.root],
      checkpoint: CHECKPOINT,
    };
  },
  consistency: async () => [CHECKPOINT.root],
  tile: async () => CHECKPOINT.root,
};

const SCRAPED: ScrapedPage = {
  url: 'https://docs.example.com/begin',
  markdown: '# Begin',
  html: '<h1>Begin</h1>',
  links: ['https://docs.example.com/next'],
  metadata: {
    title: 'Begin',
    description: 'Where to begin',
    language: 'en',
    canonicalUrl: 'https://docs.example.com/begin',
    noindex: false,
    nofollow: false,
    status: 200,
    mediaType: 'text/html',
    encoding: 'utf-8',
    bytes: 14,
  },
};

/**
 * Operations that succeed, in memory, for one data source of each kind, one setting, one source, one content and one key.
 * What is logged as an error goes to `errors`.
 */
export const fakeOperations = (stop: StopSignals, errors: unknown[] = []): HttpDeps => {
  const authenticate = async (key: string | undefined) => {
    if (key === undefined) return { ok: false, reason: 'missing_api_key' } as const;
    if (key === 'kn_expired') return { ok: false, reason: 'expired_api_key' } as const;
    const row = keyRow(key);
    return row === null
      ? ({ ok: false, reason: 'invalid_api_key' } as const)
      : ({ ok: true, key: row } as const);
  };
  let made = 0;
  const key: ApiKeyRecord = { ...(keyRow(KEY) as ApiKeyRow), lastUsedAt: NOW };
  const operations: Omit<HttpDeps, keyof Knowledge> = {
    authenticate: Object.assign(authenticate, { clearCache: () => undefined }),
    // These operations show the same at every moment.
    openPast: async () => ({ endedAt: () => undefined }) as never,
    readChanges: async (show) => ({
      rows: [
        {
          event: project(createEventCodec(), recorded(0)),
          changes: [{ path: '', after: await show({} as never) }],
        },
      ],
      hasMore: false,
      total: 1,
    }),
    createDataSource: async (_caller, { name, parameters }) =>
      written({ ...dataSourceOf(parameters.kind), name }),
    testConnection: async () => ({ kind: 'reached', items: 2, more: false, firstItem: 'README.md' }),
    dataSources: {
      get: async (_caller, kind, id) => (known(id), dataSourceOf(kind)),
      list: async (_caller, kind) => pageOf(dataSourceOf(kind)),
      cancel: async (_caller, kind, id) => (known(id), written(dataSourceOf(kind, CANCELED))),
      sync: async (_caller, kind, id) => (known(id), written(dataSourceOf(kind))),
      remove: async (_caller, kind, id) => (known(id), written(dataSourceOf(kind, DELETED))),
    },
    createLocalFileGroup: async (_caller, parts) => {
      await readAll(parts);
      return written({ sourceGroupId: ID });
    },
    addLocalFiles: async (_caller, id, parts) => {
      known(id);
      await readAll(parts);
      return written(dataSourceOf('local_file_group'));
    },
    scrape: async () => SCRAPED,
    offer: offerOf(scripted(), { isConfigured: false }),
    embedder: null,
    linksCitations: true,
    pushJobs: {
      open: async (_caller, id) => (known(id), written(dataSourceOf('push'))),
      complete: async (_caller, id) => (known(id), written(dataSourceOf('push'))),
      fail: async (_caller, id) => (known(id), written(dataSourceOf('push'))),
    },
    putDocument: async (_caller, id, _locator, parts) => {
      known(id);
      await readAll(parts);
      return written(source);
    },
    removeDocument: async (_caller, id) => (known(id), written(source)),
    auditTrail: {
      page: async (_caller, _kind, id) => (known(id), pageOf(auditEntry(0))),
      follow: async (_caller, _kind, id) => (known(id), all([auditEntry(0), auditEntry(1)])),
    },
    itemErrors: async (_caller, _kind, id) => {
      known(id);
      const locator = 'https://docs.example.com/broken';
      const error = { locator, code: 'http_500', message: 'answered 500', at: NOW, attempt: 2 };
      return { errors: pageOf(error), blocked: ['https://docs.example.com/private'] };
    },
    settings: {
      get: async (_caller, kind, id) => (known(id), settingOf(kind)),
      change: async (_caller, kind, id, change) => {
        known(id);
        const schedule = change.rrule === null ? null : settingRow.schedule;
        return written({ ...settingOf(kind), name: change.name ?? settingRow.name, schedule });
      },
      occurrences: async (_caller, _kind, id) => (known(id), [NOW, NOW + 86_400_000]),
      preview: async () => [NOW, NOW + 86_400_000],
    },
    sources: {
      list: async () => pageOf(source),
      get: async (_caller, id) => (known(id), source),
      raw: async (_caller, id) => {
        known(id);
        return {
          sha256: RAW_SHA,
          bytes: RAW.length,
          mediaType: 'text/html; charset=utf-8',
          name: 'begin.html',
          open: async (range) => {
            const start = range?.start ?? 0;
            const end = range?.end ?? RAW.length - 1;
            return { bytes: RAW.length, start, end, stream: all([RAW.subarray(start, end + 1)]) };
          },
        };
      },
      contents: async (_caller, id) => (known(id), { ...pageOf(content), before: 0 }),
      content: async (_caller, id) => (known(id), content),
      replaceMetadata: async (_caller, id, metadata) => (known(id), written({ ...source, metadata })),
      deleteMetadata: async (_caller, id) => (known(id), written(source)),
      remove: async (_caller, id) => (known(id), written(source)),
    },
    search: {
      search,
      query: async () => pageOf(content),
    },
    serialisedSearch: async (caller, wanted) => {
      const found = await search(caller, wanted);
      return searchRecord(
        found,
        found.results.map(() => [{ start: 0, end: 4 }]),
      );
    },
    complete: completions(scripted('It is so [1].')).complete,
    extract: async (_caller, { from }) => {
      if (from.kind !== 'search') from.ids.forEach(known);
      const told = { data: { begins: true }, finishReason: 'stop', model: 'small-1', usage: null } as const;
      return { ...told, citations: [content] };
    },
    sourceGroups: {
      list: async () => pageOf(sourceGroup),
      holdings: async () => [],
      failedItems: async () => ({
        total: 1,
        rows: [
          {
            sourceGroupId: sourceGroup.id,
            sourceGroupName: sourceGroup.name,
            kind: 'crawl',
            locator: 'https://docs.example.com/broken',
            code: 'http_500',
            message: 'answered 500',
            at: NOW,
            attempt: 1,
          },
        ],
        next: `${sourceGroup.id}https://docs.example.com/broken`,
      }),
      get: async (_caller, id) => (known(id), sourceGroup),
      listPast: async () => pageOf(sourceGroup),
      getPast: async (_caller, _past, id) => (known(id), sourceGroup),
      rename: async (_caller, id, name) => (known(id), written({ ...sourceGroup, name })),
    },
    tags: {
      create: async (_caller, request) => {
        if (request.name === 'taken')
          throw new DomainError('name_taken', 'a tag with this name already exists');
        return written({ ...tag, ...request });
      },
      list: async () => pageOf(tag),
      get: async (_caller, id) => (known(id), tag),
      change: async (_caller, id, change) => (known(id), written({ ...tag, ...change })),
      remove: async (_caller, id) => (known(id), written(id)),
    },
    redactionPolicies: {
      create: async (_caller, request) => written({ ...redactionPolicy, ...request }),
      list: async () => pageOf(redactionPolicy),
      get: async (_caller, id) => (known(id), redactionPolicy),
      change: async (_caller, id, request) => (known(id), written({ ...redactionPolicy, ...request })),
      remove: async (_caller, id) => (known(id), written(id)),
      test: async (_caller, id, text) => (
        known(id),
        { text, findings: [{ rule: 'email', kind: 'email', start: 0, end: 1 }] }
      ),
      testRules: async (_caller, _rules, text) => ({ text, findings: [] }),
    },
    tagBindings: {
      bind: async (_caller, pair) => {
        known(pair.tagId);
        return written({ ...tagBinding, ...pair }, pair.sourceGroupId !== OTHER_ID);
      },
      list: async () => pageOf(tagBinding),
      get: async (_caller, id) => (known(id), tagBinding),
      unbind: async (_caller, id) => (known(id), written(id)),
    },
    ...fakeAgents(),
    conversations: {
      list: async () => pageOf(conversation.row),
      get: async (_caller, id) => (known(id), conversation),
      remove: async (_caller, id) => (known(id), written(id)),
    },
    authzPolicies: {
      create: async (_caller, name, request) => {
        if (name === 'taken') throw new DomainError('name_taken', 'there is a policy of this name already');
        return written({ ...readers, name, description: request.description });
      },
      list: async () => pageOf(readers),
      get: async (_caller, name) => (knownPolicy(name), readers),
      replace: async (_caller, name) => (knownPolicy(name), written(readers)),
      remove: async (_caller, name) => (knownPolicy(name), written(name)),
    },
    authzSubjects: {
      list: async () => pageOf(authzSubject),
      get: async (_caller, principalId) => ({ ...authzSubject, principalId }),
      set: async (_caller, principalId, authzPolicy, attributes) => {
        if (authzPolicy === 'unknown')
          throw new DomainError('authz_policy_not_found', 'there is no such policy');
        return written({ ...authzSubject, principalId, policies: [{ authzPolicy, attributes }] });
      },
      remove: async (_caller, principalId) => written(principalId),
    },
    secrets: {
      create: async () => written(secret),
      list: async () => pageOf(secret),
      get: async (_caller, id) => (known(id), secret),
      change: async (_caller, id) => (known(id), written(secret)),
      remove: async (_caller, id) => (known(id), written(id)),
    },
    webhooks: {
      create: async () => written({ record: webhook, secret: 'whsec_c2VjcmV0' }),
      list: async () => pageOf(webhook),
      get: async (_caller, id) => (known(id), webhook),
      change: async (_caller, id) => (known(id), written(webhook)),
      remove: async (_caller, id) => (known(id), written(id)),
      rotateSecret: async (_caller, id) => (
        known(id),
        written({ record: webhook, secret: 'whsec_c2VjcmV0' })
      ),
      test: async (_caller, id) => (
        known(id),
        { isSuccess: false, status: 500, reason: 'the receiver answered 500', askedMs: 0 }
      ),
      deliveries: async (_caller, id) => (known(id), pageOf(delivery)),
      redeliver: async (_caller, id) => (known(id), delivery),
    },
    apiKeys: {
      issue: async (_caller, request) => written({ row: { ...key, ...request }, key: 'kn_new' }),
      list: async () => pageOf(key),
      get: async (_caller, id) => (known(id), key),
      rotate: async (_caller, id) => (known(id), written({ row: key, key: 'kn_new' })),
      revoke: async (_caller, id) => (known(id), written(id)),
    },
    exports: { exportEvents: async () => all(['{"index":0}\n', '{"index":1}\n']) },
    events: {
      page: async (_caller, _filter, _after, limit) => ({
        events: [recorded(1), recorded(2), recorded(3)].slice(0, limit),
        position: recorded(3).position,
        more: false,
      }),
      pageBack: async (_caller, _filter, _before, limit) => ({
        events: [recorded(3), recorded(2), recorded(1)].slice(0, limit),
        position: '',
        more: false,
      }),
      mustHold: async () => {},
      replay: () => all([recorded(1), recorded(2)]),
      follow: () =>
        all([
          { kind: 'events', events: [recorded(1), recorded(2)], position: recorded(5).position },
          { kind: 'checkpoint', position: recorded(5).position },
          { kind: 'caughtUp', position: recorded(5).position },
        ]),
    },
    proofs: PROOFS,
    readStatus: async () => ({
      version: '7.8.9',
      time: 1_790_000_000,
      authz: false,
      knowledge: [
        { source_type: 'crawl', source_group_count: 1, source_count: 2, content_count: 3, never_synced: 0 },
      ],
      stores: [{ name: 'files', product: 'S3', up: false, reason: 'down: refused' }],
      views: [{ name: 'catalog', halted: false, lag_seconds: 1.5 }],
      queues: [{ kind: 'ingestion_job', age_seconds: 3 }],
      jobs: [{ status: 'queued', count: 2, since: 1_790_000_000 }],
      storage: { database_bytes: 8_000_000 },
      models: [{ use: 'embeddings', provider: 'local', model: 'small' }],
    }),
    gate: { reached: async () => true },
    feed: { holds: async () => true },
    clock: { now: () => NOW },
    ids: { newId: () => `0199d2a0-0000-7000-9000-${String((made += 1)).padStart(12, '0')}` },
    log: { info: () => undefined, warn: () => undefined, error: (...told) => void errors.push(told) },
    readiness: async () => ({ reasons: {}, details: {} }),
    optionalParts: () => ({ browser: 'ready' }),
    stop,
    version: '7.8.9',
    keepAliveMs: 60_000,
  };
  return { ...operations, ...knowledgeOver(operations) };
};
