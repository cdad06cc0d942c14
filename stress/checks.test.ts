import { describe, expect, it } from 'vitest';
import { checkCommands } from './check-commands.ts';
import { checkStreams } from './check-streams.ts';
import type { Command, Sent } from './commands.ts';
import { type Fault, noFaults } from './faults.ts';
import { type LogEvent, logOf } from './log.ts';
import { createRandom } from './random.ts';

const CRAWL = 'dataSource-a';
const CREATE = '1'.repeat(32);
const SYNC = '2'.repeat(32);
const DELETE = '3'.repeat(32);
const LABEL = '4'.repeat(32);
const RECORDS = [{ key: 'k', val: 'v', type: 'string' }];

type Fact = readonly [stream: string, type: string, data: object, trace?: string];
/** A crawl that is created, run, synchronised and deleted, and a source of it that is labelled. */
const FACTS: readonly Fact[] = [
  ['idempotency-i', 'IdempotencyKeyClaimed', {}, CREATE],
  ['ingestionSetting-s', 'IngestionSettingCreated', { name: 'n' }, CREATE],
  [CRAWL, 'DataSourceRegistered', { job_id: 'j1' }, CREATE],
  [CRAWL, 'JobQueued', { job_id: 'j1' }, CREATE],
  [CRAWL, 'JobClaimed', { job_id: 'j1' }],
  ['source-p', 'SourceIndexed', {}],
  [CRAWL, 'JobSucceeded', { job_id: 'j1' }],
  ['source-p', 'SourceMetadataReplaced', { records: RECORDS }, LABEL],
  [CRAWL, 'JobQueued', { job_id: 'j2' }, SYNC],
  [CRAWL, 'DataSourceDeletionRequested', { interrupted_job_id: 'j2' }, DELETE],
  [CRAWL, 'DataSourceDeleted', {}],
];

const positionOf = (i: number): string => String(i).padStart(4, '0');
const eventsOf = (facts: readonly Fact[]): readonly LogEvent[] =>
  facts.map(([stream, type, data, traceId], i) => ({
    position: positionOf(FACTS.indexOf(facts[i]!)),
    id: `event ${FACTS.indexOf(facts[i]!)}`,
    stream,
    revision: FACTS.filter((fact) => fact[0] === stream).indexOf(facts[i]!),
    type,
    time: 0,
    actor: { kind: traceId === undefined ? 'worker' : 'api_key', id: 'x', tenant: 't' },
    correlation_id: 'x',
    causation_id: 'x',
    trace_id: traceId ?? CREATE,
    data,
  }));

const sent = (
  command: Omit<Command, 'path'>,
  traceId: string,
  status: number,
  last: number,
  body: object = {},
): Sent => ({
  command: { ...command, path: '/' },
  tries: [{ traceId, status }],
  answer: { status, body, position: positionOf(last) },
});
const SENT: readonly Sent[] = [
  sent({ name: 'createCrawl', method: 'POST', idempotencyKey: 'k' }, CREATE, 201, 3, { id: 'a' }),
  sent({ name: 'sync', method: 'POST', stream: CRAWL }, SYNC, 202, 8),
  sent({ name: 'deleteCrawl', method: 'DELETE', stream: CRAWL }, DELETE, 202, 9),
  sent(
    { name: 'replaceMetadata', method: 'PUT', stream: 'source-p', body: { records: RECORDS } },
    LABEL,
    200,
    7,
  ),
];

const faultsOf = (events: readonly LogEvent[], commands = SENT): readonly Fault[] => {
  const found = noFaults();
  const log = logOf(events);
  checkStreams(log, found);
  checkCommands(commands, log, found);
  return (Object.keys(found) as Fault[]).filter((fault) => found[fault].length > 0);
};

const without = (...gone: readonly number[]) => eventsOf(FACTS.filter((_, i) => !gone.includes(i)));
const changed = (i: number, change: Partial<LogEvent>) =>
  eventsOf(FACTS).with(i, { ...eventsOf(FACTS)[i]!, ...change });
const added = (event: Partial<LogEvent>) => [
  ...eventsOf(FACTS),
  { ...eventsOf(FACTS).at(-1)!, id: 'another', position: '9999', ...event },
];

describe('the checks of the stress', () => {
  it('find nothing in a log that is as it should be', () => {
    expect(faultsOf(eventsOf(FACTS))).toEqual([]);
  });

  it.each<[string, readonly LogEvent[], Fault]>([
    ['an event in the middle is gone', without(4), 'lost'],
    ['an acknowledged sync is gone', without(8), 'lost'],
    ['acknowledged metadata is gone', without(7), 'lost'],
    ['other metadata is there than was acknowledged', changed(7, { data: { records: [] } }), 'lost'],
    ['a whole creation is gone', without(0, 1, 2, 3), 'lost'],
    ['an event is there twice', [...eventsOf(FACTS), ...eventsOf(FACTS).slice(-1)], 'doubled'],
    ['two events have one revision', changed(6, { revision: 2 }), 'doubled'],
    ['a job is queued twice', changed(8, { data: { job_id: 'j1' } }), 'doubled'],
    [
      'a job ends twice',
      changed(4, { type: 'JobFailed', data: { job_id: 'j1', code: 'worker_lost' } }),
      'doubled',
    ],
    [
      'a request with a key was done twice',
      added({
        type: 'JobQueued',
        trace_id: CREATE,
        actor: { kind: 'api_key', id: 'x', tenant: 't' },
        revision: 7,
      }),
      'doubled',
    ],
    ['a job has no end', changed(6, { type: 'JobProgressed' }), 'stuck'],
    ['an accepted deletion was not done', without(10), 'stuck'],
    ['a job fails although all was there', changed(6, { type: 'JobFailed' }), 'unexpected'],
    [
      'a command wrote what it should not',
      changed(4, { trace_id: SYNC, actor: { kind: 'api_key', id: 'x', tenant: 't' } }),
      'unexpected',
    ],
  ])('find that %s', (_, events, fault) => {
    expect(faultsOf(events)).toContain(fault);
  });

  it('let commands share an append, whose last event all of them name', () => {
    const other = { records: [{ key: 'k', val: 'of another', type: 'string' }] };
    const events = added({
      ...eventsOf(FACTS)[7]!,
      id: 'another',
      position: '9999',
      revision: 2,
      data: other,
    });
    const behind = events.map((event, i) => (i === events.length - 1 ? { ...event, trace_id: SYNC } : event));
    const label = SENT[3]!;
    const told = (position: string): Sent => ({ ...label, answer: { ...label.answer!, position } });
    expect(faultsOf(behind, [told('9999')])).toEqual([]);
    expect(faultsOf(behind, [told(positionOf(5))])).toEqual(['lost']);
  });

  it('let a request without a key do its work at each try, and one with a key at one of them', () => {
    const [create, sync] = SENT as [Sent, Sent];
    const again = (one: Sent): Sent => ({ ...one, tries: [{ traceId: DELETE, status: null }, ...one.tries] });
    const queued = changed(9, { type: 'JobQueued', data: { job_id: 'j3' } });
    expect(faultsOf(queued, [again(sync)])).not.toContain('doubled');
    expect(faultsOf(queued, [again(create)])).toContain('doubled');
  });
});

describe('random numbers', () => {
  it('come again with the same seed, differ with another, and reach both bounds', () => {
    const dice = (seed: number) => {
      const { between } = createRandom(seed);
      return Array.from({ length: 200 }, () => between(1, 6));
    };
    expect(dice(1)).toEqual(dice(1));
    expect(dice(1)).not.toEqual(dice(2));
    expect(new Set(dice(1))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});
