import type { ParseArgsConfig } from 'node:util';
import type {
  ApiKeyCreate,
  Client,
  JobStatus,
  LogEvent,
  SourceGroup,
  SourceType,
} from '../../clients/typescript/src/index.ts';
import { AnswerFailed, WrongUse } from './failures.ts';
import { LOG_FILTER, logFilterOf } from './log-filter.ts';
import type { Output } from './output.ts';
import type { ProgressOutput } from './progress.ts';

export interface RemoteCall {
  readonly client: Client;
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly out: Output;
  readonly screen: ProgressOutput;
  readonly signal: AbortSignal;
}

/** A command that a running service answers. */
export interface RemoteCommand {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Its actions, for completion. */
  readonly actions?: readonly string[];
  /** @throws WrongUse; what the client throws. @returns false where what it did has failed */
  readonly run: (call: RemoteCall) => Promise<boolean>;
}

const string = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const KINDS = {
  crawl: '/crawls',
  repo: '/repos',
  cloud_drive: '/cloud-drives',
  wiki: '/wikis',
  local_file: '/local-file-groups',
  push: '/pushes',
} as const satisfies Readonly<Record<SourceType, string>>;

const needed = ([first, ...more]: readonly string[], what: string): string => {
  if (first === undefined || more.length > 0) throw new WrongUse(`name ${what}`);
  return first;
};
const textOf = (positionals: readonly string[], what: string): string => {
  if (positionals.length === 0) throw new WrongUse(`give ${what}`);
  return positionals.join(' ');
};
const numberOf = (value: RemoteCall['values'][string], name: string): number | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
  throw new WrongUse(`--${name} is a number`);
};
const limitOf = (values: RemoteCall['values']) => {
  const limit = numberOf(values['limit'], 'limit');
  return limit === undefined ? {} : { limit };
};
const list = (value: RemoteCall['values'][string]): readonly string[] | undefined =>
  value === undefined ? undefined : ([value].flat() as string[]).flatMap((one) => one.split(','));

const timeOf = (seconds: number | undefined): string =>
  seconds === undefined ? '' : new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
const groupCells = (group: SourceGroup) => ({
  id: group.id,
  type: group.source_type,
  name: group.name,
  status: group.status,
  documents: String(group.source_count ?? ''),
  since: timeOf(group.end_time ?? group.start_time ?? group.creation_time),
  error: group.error?.title ?? '',
});
const summaryOf = (record: object): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join('\n');

/** Waits until the job of a source is over. */
const wait = async ({ client, out, screen, signal }: RemoteCall, id: string): Promise<boolean> => {
  const group = await client.get('/source-groups/{id}', { path: { id }, signal });
  if (group.source_type === 'push') throw new WrongUse('the job of a push ends when its own client says so');
  let last = '';
  const show = (line: string): void => {
    if (line === last) return;
    last = line;
    screen.write(screen.isTerminal ? `\r\u001B[K${line}` : `${line}\n`);
  };
  const done = await client.waitFor(KINDS[group.source_type], id, {
    signal,
    onProgress: ({ status, progress: { seen, indexed, failed } }) =>
      show(`${status}: ${seen} looked at, ${indexed} indexed, ${failed} failed`),
  });
  if (last !== '' && screen.isTerminal) screen.write('\n');
  const { seen, indexed, unchanged, failed } = done.progress;
  const counts = `${seen} looked at, ${indexed} indexed, ${unchanged} unchanged, ${failed} failed`;
  out.record(done, `${done.status}: ${counts}${done.error === undefined ? '' : `\n${done.error.message}`}`);
  return done.status === 'success';
};

const crawl: RemoteCommand = {
  options: { name: string, depth: string, pages: string, rrule: string, 'no-wait': flag },
  run: async (call) => {
    const { client, values, positionals, out, signal } = call;
    const url = needed(positionals, 'one address');
    const made = await client.post('/crawls', {
      body: {
        name: (values['name'] as string | undefined) ?? url,
        start_url: url,
        max_depth: numberOf(values['depth'], 'depth') ?? 3,
        max_num_files: numberOf(values['pages'], 'pages') ?? 1_000,
        ...(values['rrule'] !== undefined && { rrule: values['rrule'] as string }),
      },
      signal,
    });
    if (values['no-wait'] === true) {
      out.record(made, made.id);
      return true;
    }
    out.tell(`crawl ${made.id}`);
    return wait(call, made.id);
  },
};

const search: RemoteCommand = {
  options: { limit: string, source: many, tag: many },
  run: async ({ client, values, positionals, out, signal }) => {
    const [groups, tags] = [list(values['source']), list(values['tag'])];
    const { results } = await client.post('/search', {
      body: {
        query: textOf(positionals, 'words to search for'),
        ...limitOf(values),
        ...(groups !== undefined && { source_group_ids: groups }),
        ...(tags !== undefined && { tags }),
      },
      signal,
    });
    await out.records(results, ({ score, content, highlights: [first] }) => ({
      score: score.toFixed(3),
      title: content.title,
      text: content.text.slice(Math.max(0, (first?.start ?? 0) - 20)),
      url: content.url,
    }));
    return true;
  },
};

interface AgUi {
  readonly type: string;
  readonly delta?: string;
  readonly message?: string;
  readonly code?: string;
  readonly result?: {
    readonly choices: readonly {
      readonly citations: readonly { readonly title: string; readonly url: string }[];
    }[];
  };
}

const ask: RemoteCommand = {
  options: { source: many, tag: many, model: string },
  run: async ({ client, values, positionals, out, signal }) => {
    const [groups, tags] = [list(values['source']), list(values['tag'])];
    const body = {
      messages: [{ role: 'user', content: textOf(positionals, 'a question') }],
      stream: true,
      ...(groups !== undefined && { source_group_ids: groups }),
      ...(tags !== undefined && { tags }),
      ...(values['model'] !== undefined && { model: values['model'] }),
    };
    for await (const { data } of client.stream<AgUi>('POST', '/completions', { body, signal })) {
      if (data.type === 'TEXT_MESSAGE_CONTENT') out.text(data.delta ?? '');
      if (data.type === 'RUN_ERROR') throw new AnswerFailed(data.message, data.code);
      if (data.type !== 'RUN_FINISHED' || data.result === undefined) continue;
      const cited = data.result.choices[0]!.citations.map(
        ({ title, url }, i) => `[${i + 1}] ${title}  ${url}`,
      );
      out.record(data.result, ['\n', ...cited].join('\n'));
    }
    return true;
  },
};

const sources: RemoteCommand = {
  options: { type: many, status: many, name: string },
  actions: ['list', 'show', 'wait', 'sync', 'cancel', 'delete'],
  run: async (call) => {
    const {
      client,
      values,
      positionals: [action = 'list', ...rest],
      out,
      signal,
    } = call;
    if (action === 'list') {
      const [types, status] = [list(values['type']), list(values['status'])];
      const query = {
        limit: 100,
        ...(types !== undefined && { source_type: types as SourceType[] }),
        ...(status !== undefined && { status: status as JobStatus[] }),
        ...(values['name'] !== undefined && { name: values['name'] as string }),
      };
      await out.records(client.all('/source-groups', { query, signal }), groupCells);
      return true;
    }
    if (!sources.actions!.includes(action)) throw new WrongUse(`there is no action ${action}`);
    const id = needed(rest, 'one source by its id');
    if (action === 'wait') return wait(call, id);
    const group = await client.get('/source-groups/{id}', { path: { id }, signal });
    const record = `${KINDS[group.source_type]}/{id}` as const;
    const asked = { path: { id }, signal };
    switch (action) {
      case 'show':
        out.record(...shown(await (await client.raw('GET', record, asked)).json()));
        return true;
      case 'sync':
      case 'cancel':
        out.record(
          ...shown(await (await client.raw('POST', `${record}/${action}`, { ...asked, body: {} })).json()),
        );
        return true;
      default:
        out.record(...shown(await (await client.raw('DELETE', record, asked)).json()));
        return true;
    }
  },
};
const shown = (record: unknown): readonly [object, string] => [record as object, summaryOf(record as object)];

const AT_WORK = 'queued,not_started,starting,started,managed,canceling,deleting'.split(',') as JobStatus[];
const FAILED = ['failure', 'delete_job_failure'] as const;

const jobs: RemoteCommand = {
  options: { code: string, source: many },
  actions: ['list', 'failed', 'errors'],
  run: async ({ client, values, positionals: [action = 'list', ...rest], out, signal }) => {
    if (rest.length > 0 || !jobs.actions!.includes(action))
      throw new WrongUse(`there is no action ${action}`);
    if (action === 'errors') {
      const groups = list(values['source']);
      const query = {
        limit: 100,
        ...(values['code'] !== undefined && { code: values['code'] as string }),
        ...(groups !== undefined && { source_group_id: groups }),
      };
      await out.records(client.all('/errors', { query, signal }), (error) => ({
        time: timeOf(error.time),
        source: error.source_group_id,
        code: error.code,
        item: error.locator,
        message: error.message,
      }));
      return true;
    }
    const query = { limit: 100, status: action === 'failed' ? FAILED : AT_WORK };
    await out.records(client.all('/source-groups', { query, signal }), groupCells);
    return true;
  },
};

type Scope = ApiKeyCreate['scopes'][number];

const keys: RemoteCommand = {
  options: { scope: many, source: many },
  actions: ['list', 'issue', 'rotate', 'revoke'],
  run: async ({ client, values, positionals: [action = 'list', ...rest], out, signal }) => {
    const asked = () => ({ path: { id: needed(rest, 'one key by its id') }, signal });
    switch (action) {
      case 'list':
        await out.records(client.all('/api-keys', { query: { limit: 100 }, signal }), (key) => ({
          id: key.id,
          name: key.name,
          scopes: key.scopes.join(','),
          made: timeOf(key.creation_time),
          expires: timeOf(key.expires_at),
        }));
        return true;
      case 'issue': {
        const scopes = (list(values['scope']) ?? ['knowledge:read', 'inference:run']) as Scope[];
        const groups = list(values['source']);
        const more = groups === undefined ? {} : { source_group_ids: groups };
        const body = { name: textOf(rest, 'a name for the key'), scopes, ...more };
        const key = await client.post('/api-keys', { body, signal });
        out.record(key, key.key ?? key.id);
        return true;
      }
      case 'rotate': {
        const key = await client.post('/api-keys/{id}/rotate', asked());
        out.record(key, key.key ?? key.id);
        return true;
      }
      case 'revoke':
        out.record(await client.delete('/api-keys/{id}', asked()), 'revoked');
        return true;
      default:
        throw new WrongUse(`there is no action ${action}`);
    }
  },
};

const tail: RemoteCommand = {
  options: { types: many, category: many, after: string, 'from-start': flag, ...LOG_FILTER },
  run: async ({ client, values, positionals, out, signal }) => {
    if (positionals.length > 0) throw new WrongUse('tail takes options alone');
    const { streamPrefix, traceId, from, to, ...same } = logFilterOf(values);
    const query = {
      types: list(values['types']),
      category: list(values['category']),
      ...same,
      ...(streamPrefix !== undefined && { stream_prefix: streamPrefix }),
      ...(traceId !== undefined && { trace_id: traceId }),
      // The service takes whole seconds: rather an event too many than one too few.
      ...(from !== undefined && { from: Math.floor(from / 1_000) }),
      ...(to !== undefined && { to: Math.ceil(to / 1_000) }),
    };
    const isFromStart = values['from-start'] === true || from !== undefined;
    const newest = async () =>
      (await client.get('/events', { query: { order: 'desc', limit: 1 }, signal })).events[0]?.position;
    const after = (values['after'] as string | undefined) ?? (isFromStart ? undefined : await newest());
    const asked = { query, signal, ...(after !== undefined && { after }) };
    for await (const { data } of client.follow<LogEvent>('/events', asked))
      out.record(data, JSON.stringify(data));
    return true;
  },
};

/** The commands that a running service answers, by name. */
export const REMOTE = { crawl, search, ask, sources, jobs, tail, keys } as const satisfies Readonly<
  Record<string, RemoteCommand>
>;
