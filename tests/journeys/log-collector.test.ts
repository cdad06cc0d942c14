import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { measured, readiness, unusedAddress } from '../support/health.ts';
import { openJourney } from '../support/journey.ts';
import { openOtlpSink } from '../support/otlp-sink.ts';
import type { Service } from '../support/service.ts';

describe('a service that sends its events to a collector', { timeout: 180_000 }, () => {
  let sink: Awaited<ReturnType<typeof openOtlpSink>>;
  const journey = openJourney();
  let service: Service;
  let metrics: URL;
  beforeAll(async () => {
    [sink, metrics] = [await openOtlpSink(), await unusedAddress()];
    service = await journey.service({
      EVENTS_OTLP_URL: `${sink.endpoint}/v1/logs`,
      EVENTS_OTLP_HEADERS: 'authorization=Bearer%20of%20the%20journey',
      KNOWLEDGER_METRICS_PORT: metrics.port,
    });
  }, 120_000);
  journey.closing(async () => sink?.close());

  const sent = (): string => sink.bodies.join('\n');
  const metric = async (name: string): Promise<number> => {
    const text = await measured(metrics);
    return Number(new RegExp(`^${name}\\{[^}]*view="log_collector"[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const tag = (name: string) => service.api('POST', '/tags', { name });

  it('sends what happens, without secrets', async () => {
    expect((await tag('first')).status).toBe(201);
    await eventually(
      async () => sent(),
      (text) => text.includes('"TagCreated"'),
    );
    expect(sent()).toContain('"ApiKeyIssued"');
    expect(sent()).not.toContain('key_hash');
    expect(sent()).not.toContain(service.key);
    expect(sink.headers[0]).toMatchObject({ authorization: 'Bearer of the journey' });
    expect(service.output()).not.toContain('of the journey');
  });

  it('stays ready where the collector refuses them, tells so, and sends them once it is started again', async () => {
    sink.answers.push({ status: 403 });
    await tag('second');
    const told = await eventually(
      async () => (await fetch(`${service.base}/readyz`)).text(),
      (text) => text.includes('projection log_collector'),
    );
    expect(told).toContain('answered 403');
    expect((await readiness(service)).status).toBe(200);
    expect(await metric('knowledger_projection_halted')).toBe(1);
    expect(await metric('knowledger_projection_lag_seconds')).toBeGreaterThan(0);
    await service.end('SIGTERM');
    sink.bodies.length = 0;
    service = await service.again();
    await eventually(
      async () => sent(),
      (text) => text.includes('second'),
    );
    expect(sent()).not.toContain('first');
    await eventually(
      () => metric('knowledger_projection_lag_seconds'),
      (seconds) => seconds === 0,
    );
    expect(await metric('knowledger_projection_halted')).toBe(0);
  });
});
