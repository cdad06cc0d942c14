import { context, propagation, trace } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { createTracing } from '../../adapters/telemetry/tracing.ts';
import { readConfig } from '../../composition/config/config.ts';
import { prometheusReader } from '../../composition/telemetry-sdk.ts';
import { startTelemetry, type Telemetry } from '../../composition/telemetry.ts';
import { unusedPort } from '../support/unused-port.ts';

type Env = { readonly [name: string]: string };
const readTelemetry = (env: Env) => readConfig(env, true).telemetry;

describe('the variables of OpenTelemetry', () => {
  it('say what is sent', () => {
    const sent = (env: Env) => {
      const { traces, metrics } = readTelemetry(env);
      return [traces, metrics];
    };
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(sent({})).toEqual([false, false]);
    expect(sent(base)).toEqual([true, true]);
    expect(sent({ ...base, OTEL_METRICS_EXPORTER: 'none' })).toEqual([true, false]);
    expect(sent({ ...base, OTEL_TRACES_EXPORTER: 'none' })).toEqual([false, true]);
    expect(sent({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1/m' })).toEqual([false, true]);
  });

  it('cannot name a protocol that is not spoken', () => {
    expect(() => readTelemetry({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/http\/json.*4318/);
    expect(readTelemetry({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }).traces).toBe(false);
  });
});

describe('metrics for Prometheus', () => {
  let meters: MeterProvider | undefined;
  afterEach(() => meters?.shutdown());

  it('have their base unit at the end of their names, once', async () => {
    const port = await unusedPort();
    meters = new MeterProvider({ readers: [prometheusReader('127.0.0.1', port)] });
    const meter = meters.getMeter('m');
    meter.createHistogram('http.server.request.duration', { unit: 's' }).record(1);
    meter.createObservableGauge('idle_seconds', { unit: 's' }).addCallback((of) => of.observe(2));
    meter.createObservableGauge('things', { unit: '{thing}' }).addCallback((of) => of.observe(3));
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('http_server_request_duration_seconds_bucket');
    expect(text).toMatch(/^idle_seconds\{[^}]*\} 2$/m);
    expect(text).toMatch(/^things\{[^}]*\} 3$/m);
  });
});

describe('a service that exports nothing', () => {
  const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  let telemetry: Telemetry | undefined;
  afterEach(async () => {
    await telemetry?.shutdown();
    // What it sets is of the process, which other files use too.
    for (const part of [trace, context, propagation]) part.disable();
  });

  it.each([{}, { OTEL_BSP_MAX_QUEUE_SIZE: '100' }])('hands on the trace of its caller (%o)', async (env) => {
    telemetry = await startTelemetry(readConfig(env, true));
    const header = await createTracing().inSpan(
      'work',
      { traceparent: CALLER },
      {},
      async (traceparent) => traceparent,
    );
    expect(header).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(header).not.toBe(CALLER);
  });

  it('knows of a variable that only the SDK reads', () => {
    expect([readTelemetry({}).asked, readTelemetry({ OTEL_PROPAGATORS: 'b3' }).asked]).toEqual([false, true]);
  });
});
