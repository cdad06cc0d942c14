import type { ExportedEvent } from '../../application/audit/export-log.ts';
import type { DomainEvent } from '../../application/event-sourcing/aggregates.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { Actor } from '../../application/ports/event-metadata.ts';
import { agentRun } from '../../domain/agent-run/index.ts';
import { apiKey } from '../../domain/api-key/decider.ts';
import { conversation } from '../../domain/conversation/index.ts';
import { dataSource, type DataSourceCommand } from '../../domain/data-source/index.ts';
import { ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import { type Decider, fold } from '../../domain/shared/decider.ts';
import { source, type SourceCommand } from '../../domain/source/decider.ts';

const TENANT = '00000000-0000-8000-8000-000000000001';
export const SECOND = 1_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The first of January 2025, a year of 365 days. */
export const START = Date.UTC(2025, 0, 1);
const WORKER: Actor = { kind: 'worker', id: 'worker-1' };

/** What happened, told apart from the events: answers are computed from it. */
interface Ledger {
  readonly attempts: {
    readonly sourceId: string;
    readonly scheduled: boolean;
    readonly queuedAt: number;
    readonly waited: number;
    readonly worked: number;
    readonly outcome: 'success' | 'failure' | 'requeued';
    readonly code: string | null;
  }[];
  readonly changes: {
    readonly dataSourceId: string;
    readonly locator: string;
    readonly scheduled: boolean;
  }[];
  readonly failures: {
    readonly site: string;
    readonly code: string;
    readonly locator: string;
    readonly at: number;
  }[];
  readonly deletions: {
    what: string;
    id: string;
    name: string | null;
    by: string;
    at: number;
    took: number | null;
  }[];
  readonly tokens: {
    readonly principal: string | null;
    readonly at: number;
    readonly input: number;
    readonly output: number;
  }[];
}

/** Numbers that are the same in each run. */
const createRandom = (seed: number) => {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return { next, below: (limit: number): number => Math.floor(next() * limit) };
};

/** Events that the real aggregates decide, at times that are chosen. */
const createLog = () => {
  const codec = createEventCodec();
  const states = new Map<string, { state: unknown; revision: number }>();
  const events: { at: number; event: Omit<ExportedEvent, 'position'> }[] = [];
  let ids = 0;
  const newId = (): string => `01940000-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const send = <Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    id: string,
    command: Command & { readonly at: number },
    actor: Actor,
  ): readonly Event[] => {
    const stream = `${decider.category}-${id}`;
    const before = states.get(stream) ?? { state: decider.initial, revision: -1 };
    const decided = decider.decide(command, before.state as State);
    for (const [nth, event] of decided.entries()) {
      const context = { tenant: TENANT, actor, correlationId: 'c', causationId: 'c' };
      const stored = codec.encode(event, newId(), context);
      const { type, data, metadata } = stored;
      const revision = before.revision + 1 + nth;
      const line = {
        index: 0,
        leaf_hash: '',
        event: { id: stored.id, stream, revision, type, data, metadata },
      };
      events.push({ at: command.at, event: { line, tenant: TENANT, recordedAt: command.at } });
    }
    const state = fold(decider, decided, before.state as State);
    states.set(stream, { state, revision: before.revision + decided.length });
    return decided;
  };
  /** In the order of the log. */
  const all = (): readonly ExportedEvent[] =>
    events
      .toSorted((a, b) => a.at - b.at)
      .map(({ event }, index) => ({
        ...event,
        position: String(index + 1).padStart(20, '0'),
        line: { ...event.line, index },
      }));
  return { send, newId, all };
};

type Log = ReturnType<typeof createLog>;
/** How the documents of a data source behave. */
type Habit = 'still' | 'changing' | 'failing';
interface Site {
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly habits: readonly Habit[];
  readonly rrule: string | null;
}

/** A year of a tenant: crawls by schedule, attempts that fail, deletions, answers, agent runs, keys. */
export const yearOfEvents = () => {
  const log = createLog();
  const random = createRandom(7);
  const ledger: Ledger = { attempts: [], changes: [], failures: [], deletions: [], tokens: [] };
  const keys = issueKeys(log, ledger);
  const admin: Actor = { kind: 'api_key', id: keys.admin };
  const habits: readonly (readonly Habit[])[] = [
    ['still', 'still'],
    ['changing', 'still'],
    ['failing', 'still', 'failing'],
    ['changing', 'changing', 'failing'],
  ];
  const sites = Array.from({ length: 8 }, (_, nth) => createSite(log, admin, nth, habits[nth % 4]!));
  for (let day = 1; day < 365; day += 1) {
    for (const [nth, one] of sites.entries()) {
      // Two are deleted in the course of the year, one of them for ever on its way.
      if (nth >= 6 && day >= 200) continue;
      if (one.rrule === null && day % 30 !== 0) continue;
      crawlOnce({ log, ledger, random, admin }, one, START + day * DAY + nth * 3 * HOUR, day);
    }
    if (day === 200) {
      remove(log, ledger, admin, sites[6]!, START + day * DAY, 90 * MINUTE);
      remove(log, ledger, admin, sites[7]!, START + day * DAY + HOUR, null);
    }
    if (day % 5 === 0) answer(log, ledger, random, admin, START + day * DAY + 9 * HOUR);
    if (day % 7 === 0) run(log, ledger, random, admin, START + day * DAY + 10 * HOUR);
  }
  return { events: log.all(), ledger, sites, keys };
};

const issueKeys = ({ send, newId }: Log, { deletions }: Ledger) => {
  const [admin, reader, revoked, expired] = [newId(), newId(), newId(), newId()];
  const system: Actor = { kind: 'system', id: 'system' };
  const rights = { scopes: ['apikeys:issue', 'ingestion:manage'] as const, sourceGroupIds: null };
  const names = { [admin]: 'admin', [reader]: 'reader', [revoked]: 'revoked', [expired]: 'expired' };
  for (const [keyId, name] of Object.entries(names))
    send(
      apiKey,
      TENANT,
      {
        type: 'issue',
        keyId,
        name,
        keyHash: keyId,
        ...(keyId === admin ? rights : { scopes: ['knowledge:read'] as const, sourceGroupIds: null }),
        expiresAt: keyId === expired ? START + 100 * DAY : null,
        requestsPerMinute: null,
        issuer: null,
        at: START,
      },
      system,
    );
  const issuer = { scopes: [...rights.scopes, 'knowledge:read'] as const, sourceGroupIds: null };
  send(
    apiKey,
    TENANT,
    { type: 'revoke', keyId: revoked, issuer, at: START + 50 * DAY },
    { kind: 'api_key', id: admin },
  );
  deletions.push({
    what: 'apiKey',
    id: revoked,
    name: 'revoked',
    by: 'admin',
    at: START + 50 * DAY,
    took: 0,
  });
  return { admin, reader };
};

const createSite = ({ send, newId }: Log, admin: Actor, nth: number, habits: readonly Habit[]): Site => {
  const [id, settingId] = [newId(), newId()];
  const site = `site-${nth}.example`;
  const rrule = nth === 5 ? null : 'FREQ=DAILY';
  const startUrl = `https://${site}/`;
  const parameters = {
    kind: 'crawl',
    startUrl,
    maxDepth: 2,
    maxNumFiles: 10,
    htmlOnly: false,
    useBrowser: false,
    pathFilters: [],
    contentPattern: [],
    noCanonicalCheck: false,
    fileExtensions: [],
  } as never;
  const schedule = { rrule: 'FREQ=DAILY', start: START };
  send(
    ingestionSetting,
    settingId,
    { type: 'create', dataSourceId: id, name: `old ${nth}`, parameters, schedule, at: START + HOUR },
    admin,
  );
  const change = {
    type: 'change',
    name: `crawl ${nth}`,
    ...(rrule === null && { schedule: null }),
    at: START + 2 * HOUR,
  } as const;
  send(ingestionSetting, settingId, change, admin);
  const subject = { kind: 'crawl', startUrl } as const;
  const registration = { subject, ingestionSettingId: settingId, metadata: [], ready: false };
  send(
    dataSource,
    id,
    {
      type: 'enqueue',
      registration,
      jobId: newId(),
      trigger: 'create',
      mode: 'incremental',
      at: START + HOUR,
    },
    admin,
  );
  return { id, site, name: `crawl ${nth}`, habits, rrule };
};

interface World {
  readonly log: Log;
  readonly ledger: Ledger;
  readonly random: ReturnType<typeof createRandom>;
  readonly admin: Actor;
}

const crawlOnce = ({ log, ledger, random, admin }: World, one: Site, at: number, day: number): void => {
  const { send, newId } = log;
  const scheduled = one.rrule !== null && day > 1;
  const jobId = newId();
  const first = { type: 'enqueue', jobId, trigger: 'sync', mode: 'incremental', at } as const;
  const tick = { type: 'tick', jobId, dueAt: at, at } as const;
  const queued = send(
    dataSource,
    one.id,
    scheduled ? tick : first,
    scheduled ? { kind: 'schedule', id: 's' } : admin,
  );
  const job = queued.find((event) => event.type === 'JobQueued')!;
  const lost = day % 40 === 3 ? 1 : day % 90 === 4 ? 9 : 0;
  for (let [attempt, queuedAt] = [0, at]; ; attempt += 1) {
    const waited = (1 + random.below(30)) * MINUTE;
    const worked = (1 + random.below(600)) * SECOND;
    const claimedAt = queuedAt + waited;
    const [claim] = send(dataSource, one.id, { type: 'claim', workerId: 'worker-1', at: claimedAt }, WORKER);
    if (claim?.type !== 'JobClaimed') throw new Error('no claim');
    const of = { jobId: job.jobId, epoch: claim.epoch };
    send(dataSource, one.id, { type: 'begin', ...of, at: claimedAt }, WORKER);
    const endedAt = claimedAt + worked;
    const told = { sourceId: one.id, scheduled, queuedAt, waited, worked };
    if (attempt >= lost) {
      const failed = visit(
        log,
        ledger,
        one,
        { jobId: job.jobId, generation: job.generation, at: claimedAt },
        { day, scheduled },
      );
      const counts = {
        seen: one.habits.length,
        indexed: one.habits.length - failed,
        unchanged: 0,
        skipped: 0,
        failed,
        bytes: 9,
      };
      send(dataSource, one.id, { type: 'complete', ...of, counts, at: endedAt }, WORKER);
      ledger.attempts.push({ ...told, outcome: 'success', code: null });
      return;
    }
    const error = { title: 'Worker lost', message: 'the worker has gone' };
    const command: DataSourceCommand = { type: 'retry', ...of, reason: 'worker_lost', error, at: endedAt };
    const [retried] = send(dataSource, one.id, command, { kind: 'system', id: 'sweeper' });
    if (retried?.type !== 'JobRequeued') {
      const code = retried?.type === 'JobFailed' ? retried.code : '?';
      ledger.attempts.push({ ...told, outcome: 'failure', code });
      return;
    }
    ledger.attempts.push({ ...told, outcome: 'requeued', code: 'worker_lost' });
    // Waiting is counted from the requeue, back-off and all.
    queuedAt = Math.max(endedAt, endedAt);
    if (retried.notBefore > queuedAt + MINUTE) throw new Error('the back-off is longer than the least wait');
  }
};

/** Visits each document. Returns how many failed. */
const visit = (
  { send }: Log,
  ledger: Ledger,
  { id: dataSourceId, site, habits }: Site,
  job: { readonly jobId: string; readonly generation: number; readonly at: number },
  { day, scheduled }: { readonly day: number; readonly scheduled: boolean },
): number => {
  let failures = 0;
  for (const [nth, habit] of habits.entries()) {
    const locator = `https://${site}/${nth}`;
    const found = { dataSourceId, sourceType: 'crawl', locator, ...job } as const;
    const fails = habit === 'failing' && day % 3 === 0;
    const code = day % 2 === 0 ? 'http_500' : 'timeout';
    const sha256 = habit === 'changing' ? `${day}` : 'same';
    const file = { sha256, bytes: 100 };
    const command: SourceCommand = fails
      ? { type: 'record_failed', ...found, code, message: `it answered on day ${day}` }
      : {
          type: 'record_indexed',
          ...found,
          url: locator,
          title: 'A page',
          fileType: 'html',
          mediaType: 'text/html',
          raw: file,
          chunkSet: { ...file, chunks: 2 },
        };
    const decided = send(source, `${dataSourceId}${nth}`, command, WORKER);
    if (fails) {
      failures += 1;
      ledger.failures.push({ site, code, locator, at: job.at });
    }
    if (decided.length > 0) ledger.changes.push({ dataSourceId, locator, scheduled });
  }
  return failures;
};

const remove = (
  { send }: Log,
  { deletions }: Ledger,
  admin: Actor,
  { id, name }: Site,
  at: number,
  took: number | null,
): void => {
  send(dataSource, id, { type: 'delete', at }, admin);
  const error = { title: 'x', message: 'y' };
  send(dataSource, id, { type: 'delete_failed', error, at: at + MINUTE }, WORKER);
  send(dataSource, id, { type: 'delete', at: at + HOUR }, admin);
  if (took !== null)
    send(dataSource, id, { type: 'delete_done', contents: 1, sources: 1, bytes: 1, at: at + took }, WORKER);
  deletions.push({ what: 'dataSource', id, name, by: 'admin', at, took });
};

const answer = (
  { send, newId }: Log,
  { tokens, deletions }: Ledger,
  random: World['random'],
  admin: Actor,
  at: number,
): void => {
  const [id, messageId, answerId] = [newId(), newId(), newId()];
  const principalId = [null, 'jo', 'kim'][random.below(3)]!;
  send(
    conversation,
    id,
    { type: 'start', principalId, messageId, answerId, sourceGroupIds: null, at },
    admin,
  );
  const [input, output] = [random.below(5_000), random.below(500)];
  const usage = { inputTokens: input, outputTokens: output };
  send(
    conversation,
    id,
    {
      type: 'finish_answer',
      answerId,
      finishReason: 'stop',
      model: 'm',
      usage,
      citedContentIds: [],
      cut: false,
      at: at + 2 * SECOND,
    },
    admin,
  );
  tokens.push({ principal: principalId, at, input, output });
  if (random.below(4) > 0) return;
  send(conversation, id, { type: 'delete', principalId, at: at + HOUR }, admin);
  deletions.push({ what: 'conversation', id, name: null, by: 'admin', at: at + HOUR, took: 0 });
};

const run = (
  { send, newId }: Log,
  { tokens }: Ledger,
  random: World['random'],
  admin: Actor,
  at: number,
): void => {
  const id = newId();
  const body = { bodyId: 'b', digest: 'd', bytes: 1 };
  const principalId = ['jo', 'lee'][random.below(2)]!;
  send(
    agentRun,
    id,
    {
      type: 'queue',
      threadId: newId(),
      principalId,
      parentRunId: null,
      afterRunId: null,
      workflowType: 'chat',
      provider: null,
      executionMode: 'LOCAL',
      runtimeArn: null,
      inputHistoryMode: 'delta_v1',
      keyId: admin.id,
      scopes: ['inference:run'],
      sourceGroupIds: null,
      reach: null,
      authzPolicy: null,
      titled: false,
      at,
    },
    admin,
  );
  send(
    agentRun,
    id,
    {
      type: 'claim',
      workerId: 'worker-1',
      contextStartRunId: null,
      contextTruncated: false,
      contextMessages: 1,
      contextDigest: 'd',
      at: at + SECOND,
    },
    WORKER,
  );
  let [input, output] = [0, 0];
  for (let step = 1; step <= 3; step += 1) {
    const usage = { inputTokens: random.below(2_000), outputTokens: random.below(200) };
    [input, output] = [input + usage.inputTokens, output + usage.outputTokens];
    const emission = { kind: 'model_answered', step, model: 'm', usage, finishReason: 'stop' } as const;
    send(agentRun, id, { type: 'emit', emission, body: null, at: at + (step + 1) * SECOND }, WORKER);
  }
  send(agentRun, id, { type: 'complete', result: body, messages: body, at: at + 9 * SECOND }, WORKER);
  tokens.push({ principal: principalId, at, input, output });
};
