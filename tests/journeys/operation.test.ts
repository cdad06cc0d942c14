import { beforeAll, describe, expect, it } from 'vitest';
import { ended } from '../support/crawls.ts';
import { openJourney, type StartProcess } from '../support/journey.ts';
import { openOtlpSink } from '../support/otlp-sink.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site } from '../support/site.ts';
import { eventually } from '../support/eventually.ts';
import { readiness, unusedAddress } from '../support/health.ts';
import { withKey } from '../support/client.ts';

describe('operating the service', { timeout: 180_000 }, () => {
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

describe('a service of several processes', { timeout: 240_000 }, () => {
  const OTHER_KEY = 'kn_another_bootstrap_key_0123456789abcdef';

  const journey = openJourney();
  let open: StartProcess;
  const services: Service[] = [];
  const start: StartProcess = async (...asked) => {
    const service = await open(...asked);
    services.push(service);
    return service;
  };
  beforeAll(async () => {
    open = await journey.processes();
  }, 120_000);

  /** What is told at this address, once somebody listens there. */
  const firstTold = (base: string) =>
    eventually(
      () => readiness({ base }).catch(() => null),
      (told) => told !== null,
    );

  it('is ready when its first key works, and not before', async () => {
    const projector = await start('projector');
    await start('api');
    expect(await projector.end('SIGTERM')).toEqual([0, null]);
    const { origin: base, port } = await unusedAddress();
    const starting = start('api', { PORT: port, KNOWLEDGER_BOOTSTRAP_KEY: OTHER_KEY });
    const ask = () => fetch(`${base}/api/v1/crawls`, { headers: { 'x-api-key': OTHER_KEY } });
    expect(await firstTold(base)).toMatchObject({ status: 503 });
    await eventually(
      () => readiness({ base }),
      ({ reasons }) => 'first key' in reasons,
    );
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await ask()).status).toBe(401);
    await start('projector');
    const told: Awaited<ReturnType<typeof readiness>>[] = [];
    await eventually(
      async () => {
        told.push(await readiness({ base }));
        return told.at(-1)!.status;
      },
      (status) => status === 200,
    );
    for (const before of told.slice(0, -1)) {
      expect(before).toEqual({ status: 503, reasons: { 'first key': expect.stringContaining('projector') } });
    }
    expect((await ask()).status).toBe(200);
    await starting;
  });

  it('knows a key everywhere when the command prints it, whether somebody projects or not', async () => {
    const [one, other] = [await start('api'), await start('api')];
    const printed = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await one.command('tenant', ...args);
      expect([code, output]).toEqual([0, expect.not.stringContaining('does not work yet')]);
      return /kn_\S+/.exec(output)?.[0] ?? '';
    };
    const works = async (key: string) => {
      for (const process of [one, other]) {
        await withKey(process, key).get('/crawls');
      }
    };
    await works(await printed('Projected elsewhere'));
    const others = services.filter((service) => service !== one && service !== other);
    await Promise.all(others.map((service) => service.end('SIGTERM')));
    await works(await printed('Nobody projects'));
    await works(await printed('key', 'Nobody projects'));
  });
});
