import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCollectorProjection } from '../../../adapters/postgres/log-collector/projection.ts';
import { createLogTree } from '../../../adapters/postgres/log-tree/log-tree.ts';
import { logTreeProjection } from '../../../adapters/postgres/log-tree/projection.ts';
import { viewHealth } from '../../../adapters/postgres/projections/health.ts';
import { prepareViews } from '../../../adapters/postgres/projections/rebuild.ts';
import type { ProjectorDeps } from '../../../adapters/postgres/projections/projector.ts';
import { systemClock } from '../../../adapters/system/identity.ts';
import { sha256Bytes } from '../../../adapters/system/proof.ts';
import { createOtlpCollector } from '../../../adapters/telemetry/otlp-logs.ts';
import { createExported } from '../../../application/audit/export-log.ts';
import type { NewEvent } from '../../../application/ports/event-store.ts';
import { leafHash } from '../../../domain/proof/merkle.ts';
import { eventOf, leavesOf } from '../../support/log-proof.ts';
import { openOtlpSink } from '../../support/otlp-sink.ts';
import { openWorld, type World } from '../../support/world.ts';

let world: World;
let sink: Awaited<ReturnType<typeof openOtlpSink>>;
const dispatcher = new Agent();
beforeEach(async () => {
  [world, sink] = [await openWorld([logTreeProjection]), await openOtlpSink()];
  world.project(logTreeProjection);
});
afterEach(async () => {
  await world.close();
  sink.close();
});

const append = async (events: readonly NewEvent[], category = 'source'): Promise<string> => {
  const stream = `${category}-${crypto.randomUUID()}`;
  return (await world.store.append(stream, 'none', events as [NewEvent, ...NewEvent[]])).position;
};
const facts = (count: number, first = 0): readonly NewEvent[] =>
  Array.from({ length: count }, (_, n) => eventOf('acme', { n: first + n }));

/** Starts sending; tells of warnings, of the pauses that were made, and of the first halt. */
const start = async (other: Partial<ProjectorDeps> = {}) => {
  const [warnings, pauses]: [object[], number[]] = [[], []];
  const halted = Promise.withResolvers<object>();
  const log = {
    info: () => {},
    warn: (message: string, details: object = {}) => void warnings.push({ ...details, told: message }),
    error: (_: string, details: object = {}) => halted.resolve(details),
  };
  const projection = createCollectorProjection({
    collector: createOtlpCollector({
      dispatcher,
      url: `${sink.endpoint}/v1/logs`,
      headers: { authorization: 'Bearer of the tests' },
      resource: { 'service.name': 'knowledger' },
      clock: systemClock,
      log,
    }),
    exported: createExported({
      tree: createLogTree(world.db),
      sha256: sha256Bytes,
      redactTextFor: async () => (text) => text.replaceAll('secret', '•'),
    }),
    gate: world.gate,
  });
  await prepareViews(world.deps, [projection], new AbortController().signal, () => {});
  const sleep: ProjectorDeps['sleep'] = async (ms, signal) => {
    pauses.push(ms);
    await world.deps.sleep(Math.min(ms, 20), signal);
  };
  world.project(projection, log, { sleep, ...other });
  return { warnings, pauses, halted: halted.promise };
};

interface Sent {
  readonly eventName: string;
  readonly body: {
    readonly kvlistValue: { readonly values: readonly { readonly key: string; readonly value: object }[] };
  };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];
  readonly [field: string]: unknown;
}
const recordsOf = (body: string): readonly Sent[] => JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords;
const attribute = ({ attributes }: Sent, name: string): string | undefined =>
  Object.values(attributes.find(({ key }) => key === `knowledger.${name}`)?.value ?? {})[0];
const indexes = (bodies = sink.bodies): readonly number[] =>
  bodies.flatMap(recordsOf).map((record) => Number(attribute(record, 'index')));
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const reached = async (position: string): Promise<void> =>
  expect(await world.gate.reached(['log_collector'], position, 20_000)).toBe(true);

const inTree = async (position: string): Promise<void> =>
  expect(await world.gate.reached(['log_tree'], position, 20_000)).toBe(true);

describe('events as log records', () => {
  it('have a body that is their data as a reader may see it, and the place and hash of their leaf', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const data = { title: 'a secret', n: 2 ** 40, share: 0.5, none: null, list: [{ yes: true }] };
    const event = eventOf('acme', data, 'SourceIndexed');
    await append([{ ...event, metadata: { ...event.metadata, traceparent } }]);
    const position = await append([eventOf('acme', { key_hash: 'abc', name: 'k' })], 'apiKey');
    await start();
    await reached(position);
    const [indexed, issued] = sink.bodies.flatMap(recordsOf) as [Sent, Sent];
    const { events } = await world.feed.read('', {}, 10);
    const [leaf] = leavesOf(events, await createLogTree(world.db).salts());
    expect(indexed).toMatchObject({
      eventName: 'SourceIndexed',
      timeUnixNano: `${events[0]!.recordedAt}000000`,
      severityNumber: 9,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      flags: 1,
    });
    expect(Object.fromEntries(indexed.body.kvlistValue.values.map(({ key, value }) => [key, value]))).toEqual(
      {
        title: { stringValue: 'a •' },
        n: { intValue: '1099511627776' },
        share: { doubleValue: 0.5 },
        none: {},
        list: {
          arrayValue: { values: [{ kvlistValue: { values: [{ key: 'yes', value: { boolValue: true } }] } }] },
        },
      },
    );
    expect(attribute(indexed, 'leaf_hash')).toBe(
      Buffer.from(leafHash(sha256Bytes, leaf!)).toString('base64'),
    );
    expect(
      ['tenant', 'stream', 'revision', 'position', 'event_id'].map((name) => attribute(indexed, name)),
    ).toEqual(['acme', events[0]!.stream, '0', events[0]!.position, event.id]);
    expect(issued.body.kvlistValue.values.map(({ key }) => key)).toEqual(['name']);
    expect(sink.headers[0]).toMatchObject({
      authorization: 'Bearer of the tests',
      'content-type': 'application/json',
    });
  });

  it('come in the order of the log, each once, also those that are written later', async () => {
    await append(facts(700));
    await start();
    await reached(await append(facts(40, 700)));
    await reached(await append(facts(1)));
    expect(indexes()).toEqual(upTo(741));
  });

  it('come in requests of a few megabytes', async () => {
    const large = 'x'.repeat(200_000);
    let position = '';
    for (let n = 0; n < 10; n++) position = await append([0, 1, 2, 3].map(() => eventOf('acme', { large })));
    await start();
    await reached(position);
    expect(indexes()).toEqual(upTo(40));
    const sizes = sink.bodies.map((body) => body.length);
    expect([sizes.length >= 2, Math.max(...sizes) < 4.3 * 1024 * 1024]).toEqual([true, true]);
  });
});

describe('a collector that is away', () => {
  it('gets everything when it is back, in order, and is left alone for as long as it asks', async () => {
    const away = { status: 503, headers: { 'retry-after': '7' } };
    sink.answers.push('cut', { status: 429 }, away, { status: 502 }, { status: 504 });
    const position = await append(facts(5));
    const { pauses, warnings } = await start();
    await reached(position);
    expect(indexes(sink.bodies.slice(0, 6))).toEqual(Array.from({ length: 6 }, () => upTo(5)).flat());
    expect(pauses).toEqual([200, 400, 7_000, 1_600, 3_200]);
    expect(warnings).toContainEqual(expect.objectContaining({ error: 'the collector answered 429' }));
  });
});

describe('what a collector refuses', () => {
  it.each([
    [{ status: 400 }, 'the collector answered 400 to this event and the 2 after it'],
    [{ status: 500 }, 'the collector answered 500'],
    [
      { body: '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}' },
      'the collector rejected 2 of this event and the 2 after it: too old',
    ],
  ])('halts the view, which names it, and is not sent again: %o', async (answer, told) => {
    sink.answers.push(answer);
    const position = await append(facts(3));
    await inTree(position);
    const { halted } = await start();
    expect(await halted).toMatchObject({ view: 'log_collector', error: expect.stringContaining(told) });
    const health = (await viewHealth(world.db)).find(({ view }) => view === 'log_collector');
    expect(health!.haltedBecause).toContain(told);
    expect([sink.bodies.length, health!.position < position]).toEqual([1, true]);
  });

  it('is sent again by the next start, and a rejection of nothing is a warning', async () => {
    sink.answers.push({ status: 401 }, { body: '{"partialSuccess":{"errorMessage":"slow down"}}' });
    const position = await append(facts(3));
    await (
      await start()
    ).halted;
    const { warnings } = await start({ leadership: { lead: async (_, signal, task) => task(signal) } });
    await reached(position);
    expect(indexes()).toEqual([...upTo(3), ...upTo(3)]);
    expect(warnings).toContainEqual({ told: 'the collector of events warns', message: 'slow down' });
  });
});
