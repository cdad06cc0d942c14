import { context, propagation, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { parseTraceparent } from '../../../domain/trace-context.ts';
import { ID, OTHER_ID } from './fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE_ID}-b7ad6b7169203331`;
const contexts: CommandContext[] = [];
const active: (string | undefined)[] = [];
const noting = (): Promise<RunningApp> =>
  runApp(({ dataSources }) => ({
    dataSources: {
      ...dataSources,
      sync: async (caller, kind, id, mode) => {
        contexts.push(caller.context);
        active.push(trace.getActiveSpan()?.spanContext().spanId);
        return dataSources.sync(caller, kind, id, mode);
      },
    },
  }));
const sync = async (app: RunningApp, headers: Record<string, string> = {}): Promise<CommandContext> => {
  await app.ask('POST', `/api/v1/crawls/${OTHER_ID}/sync`, { headers });
  return contexts.at(-1) as CommandContext;
};

stopServersAfterAll();

describe('without an SDK', () => {
  it('what a request causes is recorded under the trace of the caller', async () => {
    const app = await noting();
    const given = { traceparent: `${PARENT}-03`, tracestate: 'a=1, b@c=2,', 'x-request-id': 'r-1' };
    expect(await sync(app, given)).toEqual({
      tenant: ID,
      actor: { kind: 'api_key', id: ID },
      correlationId: 'r-1',
      causationId: 'r-1',
      signal: expect.any(AbortSignal) as AbortSignal,
      traceparent: `${PARENT}-03`,
      tracestate: 'a=1,b@c=2',
    });
  });

  it.each([{}, { traceparent: `${PARENT.toUpperCase()}-01`, tracestate: 'a=1' }, { tracestate: 'a=1' }])(
    'and under none where the caller sent none that is valid: %j',
    async (headers) => {
      const seen = await sync(await noting(), headers);
      expect(seen).not.toHaveProperty('traceparent');
      expect(seen).not.toHaveProperty('tracestate');
    },
  );
});

describe('with an SDK', () => {
  const memory = new InMemorySpanExporter();
  let sdk: ReturnType<typeof startNodeSdk>;
  let app: RunningApp;
  beforeAll(async () => {
    sdk = startNodeSdk({
      spanProcessors: [new SimpleSpanProcessor({ exporter: memory })],
      metricReaders: [],
      logRecordProcessors: [],
      resourceDetectors: [],
    });
    app = await noting();
  });
  afterAll(async () => {
    await sdk.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  });
  const finished = async (name: string): Promise<void> => {
    await expect.poll(() => memory.getFinishedSpans().find((span) => span.name === name)).toBeDefined();
  };

  it('one server span continues the trace of the caller, and is what events carry', async () => {
    const seen = await sync(app, { traceparent: `${PARENT}-03`, tracestate: 'a=1' });
    const name = 'POST /api/v1/crawls/{id}/sync';
    await finished(name);
    const span = memory.getFinishedSpans().find((one) => one.name === name);
    expect(span?.spanContext().traceId).toBe(TRACE_ID);
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(span?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/crawls/{id}/sync',
      'http.response.status_code': 202,
      'url.path': `/api/v1/crawls/${OTHER_ID}/sync`,
    });
    expect(active.at(-1)).toBe(span?.spanContext().spanId);
    expect(seen.traceparent).toBe(`00-${TRACE_ID}-${span?.spanContext().spanId}-03`);
    expect(seen.tracestate).toBe('a=1');
  });

  it('a request without a trace starts one', async () => {
    const { traceparent } = await sync(app);
    expect(parseTraceparent(traceparent)?.traceId).not.toBe(TRACE_ID);
  });

  it('a request that the caller does not sample is not recorded, and its trace goes on all the same', async () => {
    memory.reset();
    const { traceparent } = await sync(app, { traceparent: `${PARENT}-00` });
    expect(parseTraceparent(traceparent)).toMatchObject({ traceId: TRACE_ID, sampled: false });
    expect(traceparent).not.toContain('b7ad6b7169203331');
    await app.ask('GET', '/nothing');
    await finished('GET');
    expect(memory.getFinishedSpans().some((span) => span.spanContext().traceId === TRACE_ID)).toBe(false);
  });
});
