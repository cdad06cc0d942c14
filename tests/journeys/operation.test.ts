import { beforeAll, describe, expect, it } from 'vitest';
import { ended } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import { openOtlpSink } from '../support/otlp-sink.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site } from '../support/site.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let sink: Awaited<ReturnType<typeof openOtlpSink>>;
const journey = openJourney();
let service: Service;
let site: Site;
beforeAll(async () => {
  sink = await openOtlpSink();
  site = await journey.site(manyPages(12));
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
    KNOWLEDGER_LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  });
}, 120_000);
journey.closing(async () => sink?.close());

describe('operating the service', { timeout: 180_000 }, () => {
  let id = '';

  it('continues the trace of a request through the events into the spans of the worker', async () => {
    const body = { name: 'Traced', start_url: `${site.origin}/`, max_depth: 3, max_num_files: 50 };
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const made = await service.api('POST', '/crawls', body, headers);
    id = made.body.id;
    const entries = await ended(service, id);
    expect(new Set(entries.map(({ trace_id: traceId }) => traceId))).toEqual(new Set([TRACE]));
  });

  it('has sent the spans of the request and of the job in one trace, without keys or page text', async () => {
    await service.end('SIGTERM');
    const sent = sink.bodies.join('\n');
    const spans = [...sent.matchAll(/"traceId":"([0-9a-f]{32})"[^{}]*?"name":"([^"]+)"/g)];
    const named = (name: string) => spans.filter(([, trace, span]) => span === name && trace === TRACE);
    expect(named('POST /crawls').length + named('POST /api/v1/crawls').length).toBeGreaterThan(0);
    expect(named('ingestion job')).toHaveLength(1);
    expect(named('page fetch').length).toBeGreaterThanOrEqual(12);
    expect(named('projection apply').length).toBeGreaterThan(0);
    for (const attribute of ['service.version', 'service.instance.id', 'deployment.environment.name'])
      expect(sent).toContain(`{"key":"${attribute}",`);
    expect(sent).toContain('"knowledger_event_feed_hidden_seconds"');
    expect(sent).not.toContain(service.key);
    expect(sent).not.toContain('falcons');
  });
});
