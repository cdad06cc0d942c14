import { EventEmitter } from 'node:events';
import { context, propagation, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  tracedLanguageModel,
  tracedPageFetcher,
  tracedReranker,
  tracedWebSearch,
} from '../../../adapters/telemetry/traced-providers.ts';
import { tracedProjection } from '../../../adapters/telemetry/traced-projection.ts';
import { tracedSearchThreads } from '../../../adapters/telemetry/traced-search-threads.ts';
import { traceStatements } from '../../../adapters/telemetry/traced-stores.ts';
import { createTracing } from '../../../adapters/telemetry/tracing.ts';
import { ProviderError } from '../../../application/ports/language-model.ts';
import type { ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { scripted } from '../../support/completions.ts';

const SECRET = 'the secret text';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const never = new AbortController().signal;
const memory = new InMemorySpanExporter();
let sdk: ReturnType<typeof startNodeSdk>;
beforeAll(() => {
  const spanProcessors = [new SimpleSpanProcessor({ exporter: memory })];
  sdk = startNodeSdk({ spanProcessors, metricReaders: [], logRecordProcessors: [], resourceDetectors: [] });
});
afterEach(() => memory.reset());
afterAll(async () => {
  await sdk.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
});

/** Within the span of a job, which is left out of the answer. */
const spansOf = async (work: () => Promise<unknown>) => {
  const tracing = createTracing();
  await tracing.inSpan('job', { traceparent: PARENT }, {}, work).catch(() => {});
  const spans = memory.getFinishedSpans();
  const told = spans.map(({ name, attributes, status, links }) => ({ name, attributes, status, links }));
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
  return spans.filter(({ name }) => name !== 'job');
};

describe('a span is made, without what was asked and answered, of', () => {
  it('a page that is fetched', async () => {
    const failed = { kind: 'failed', code: 'timeout', message: SECRET, finalUrl: 'x', retryAfterMs: null };
    const pages = tracedPageFetcher({ fetchPage: async () => failed as never });
    const [span] = await spansOf(() =>
      pages.fetchPage({ url: `https://site.example/${SECRET}?key=1` }, never),
    );
    expect(span).toMatchObject({
      name: 'page fetch',
      attributes: {
        'http.request.method': 'GET',
        'server.address': 'site.example',
        'server.port': 443,
        'knowledger.outcome': 'failed',
        'error.type': 'timeout',
      },
    });
  });

  it('a search in threads, which may fail', async () => {
    const found = { results: [], totalCandidates: 0 };
    const searching = tracedSearchThreads({
      retrieve: async () => found,
      retrieveSerialised: async () => {
        throw new DomainError('unavailable', SECRET);
      },
    });
    const request = { query: SECRET, limit: 1, filter: {} };
    const scope = { tenant: SECRET, only: null, access: null };
    const [searched] = await spansOf(async () =>
      expect(await searching.retrieve(scope, request)).toBe(found),
    );
    expect(searched).toMatchObject({ name: 'search', attributes: {} });
    memory.reset();
    const as = { typed: null, collapse: 'none', limit: 1 } as const;
    const told = { query: SECRET, queryId: 'id', mode: 'keyword' } as const;
    const [failed] = await spansOf(() => searching.retrieveSerialised({ scope, request, as }, told));
    expect(failed).toMatchObject({ name: 'search', status: { code: 2 } });
  });

  it('an answer of a language model, however it ends', async () => {
    const finish = { kind: 'finish', reason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } } as const;
    const model = tracedLanguageModel({ ...scripted(SECRET, finish), name: 'small' });
    const request = { messages: [{ role: 'user', content: SECRET }] } as never;
    const read = async (): Promise<void> => {
      for await (const event of model.stream(request, never)) expect(event.kind).toMatch(/delta|finish/);
    };
    const [span] = await spansOf(read);
    expect(span).toMatchObject({
      name: 'chat small',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'small',
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
      },
    });
    memory.reset();
    const leaves = async (): Promise<void> => {
      for await (const _ of model.stream(request, never)) return;
    };
    expect(await spansOf(leaves)).toHaveLength(1);
  });

  it('a reranker and a web search, with the kind of failure', async () => {
    const rerank = async () => Promise.reject(new ProviderError(SECRET, { retryable: false }));
    const [failed] = await spansOf(() =>
      tracedReranker({ rerank }, 'http://127.0.0.1:8080/v2').rerank(SECRET, [SECRET], never),
    );
    expect(failed).toMatchObject({
      name: 'rerank',
      attributes: { 'server.address': '127.0.0.1', 'server.port': 8080, 'error.type': 'ProviderError' },
      status: { code: 2 },
    });
    memory.reset();
    const search = async () => ({ query: SECRET, results: [], suggestions: [SECRET] });
    const [found] = await spansOf(() =>
      tracedWebSearch({ search }, 'https://search.example').search(SECRET, 5, never),
    );
    expect(found).toMatchObject({ name: 'web search', attributes: { 'knowledger.results': 0 } });
  });

  it('a slow statement, by its kind', async () => {
    const reject = async () => Promise.reject(Object.assign(new Error(SECRET), { code: '57014' }));
    const open = (slowMs: number) => {
      const pool = Object.assign(new EventEmitter(), { query: async (text: string) => text });
      traceStatements(pool as unknown as pg.Pool, { 'server.address': 'db.example' }, slowMs);
      const client = { query: reject as (_: string) => Promise<void> };
      pool.emit('connect', client);
      return { pool, client };
    };
    const { pool, client } = open(0);
    const [span] = await spansOf(() => pool.query(`select * from t where name = '${SECRET}'`));
    expect(span).toMatchObject({
      name: 'SELECT',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'server.address': 'db.example',
      },
    });
    memory.reset();
    const [failed] = await spansOf(() => client.query(`update t set name = '${SECRET}'`));
    expect(failed).toMatchObject({
      name: 'UPDATE',
      attributes: { 'error.type': '57014' },
      status: { code: 2 },
    });
    memory.reset();
    expect(await spansOf(() => open(Infinity).pool.query('select 1'))).toEqual([]);
  });
});

describe('a batch of a projection', () => {
  const event = (traceparent?: string) => ({ metadata: { traceparent } }) as unknown as ProjectedEvent;
  const applied: number[] = [];
  const projection = tracedProjection({
    view: 'tag',
    apply: async (_trx: never, _schema: string, events: readonly ProjectedEvent[]) =>
      void applied.push(events.length),
  });
  const batch = async (...events: readonly ProjectedEvent[]) => {
    await projection.apply(undefined as never, 'tag_v1', events);
    return memory.getFinishedSpans();
  };

  it('is a span in the trace that all its events come from, linked to their causes', async () => {
    const [span] = await batch(event(PARENT), event(PARENT), event());
    expect(span?.spanContext().traceId).toBe(TRACE);
    expect(span).toMatchObject({
      name: 'projection apply',
      attributes: { 'knowledger.view': 'tag', 'knowledger.events': 3 },
    });
    expect(span?.links.map(({ context: of }) => of.spanId)).toEqual(['b7ad6b7169203331']);
  });

  it('has a trace of its own where its events come from several', async () => {
    const other = '1'.repeat(32);
    const [span] = await batch(event(PARENT), event(`00-${other}-b7ad6b7169203331-01`));
    expect(span?.links.map(({ context: of }) => of.traceId)).toEqual([TRACE, other]);
    expect([TRACE, other]).not.toContain(span?.spanContext().traceId);
  });

  it('is no span where no event has a trace, and is applied all the same', async () => {
    applied.length = 0;
    expect(await batch(event(), event('nonsense'))).toEqual([]);
    expect(applied).toEqual([2]);
  });
});

it('nothing is a span outside of a trace', async () => {
  const search = async () => ({ query: 'q', results: [], suggestions: [] });
  await tracedWebSearch({ search }, 'https://search.example').search('q', 5, never);
  expect(memory.getFinishedSpans()).toEqual([]);
});
