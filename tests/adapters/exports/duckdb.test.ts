import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbMissing, loadDuckDb, openDuckDb } from '../../../adapters/exports/duckdb.ts';
import type { ExportPage } from '../../../application/audit/export-log.ts';
import { HAS_DUCKDB, queried } from '../../support/duckdb.ts';
import { DAY, HOUR, SECOND, START, yearOfEvents } from '../../support/year-of-events.ts';

const { events, ledger, sites } = yearOfEvents();
const ANYTHING = { filter: {}, after: '' };
const pageOf = (from: number, to: number): ExportPage => ({
  events: events.slice(from, to),
  leftOut: [],
  position: events[to - 1]!.position,
  isBehind: false,
});
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-duckdb-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('says how to install what it needs', async () => {
  await expect(loadDuckDb('@duckdb/no-such-package')).rejects.toThrow(DuckDbMissing);
  await expect(loadDuckDb('@duckdb/no-such-package')).rejects.toThrow(
    /npm install --omit=dev --save-optional @duckdb\/node-api@\d/,
  );
});

describe.skipIf(!HAS_DUCKDB)('a database of DuckDB', () => {
  it('has each event once, wherever a run was killed', async () => {
    const path = join(folder, 'killed.duckdb');
    const first = await openDuckDb(path, ANYTHING);
    expect(first.written).toEqual({ events: 0, position: '' });
    for (let at = 0; at < 12_000; at += 2_000) await first.write(pageOf(at, at + 2_000));
    // What the disk has of a process that is killed now.
    const copy = join(folder, 'left.duckdb');
    await copyFile(path, copy);
    await copyFile(`${path}.wal`, `${copy}.wal`);
    await first.close();
    const second = await openDuckDb(copy, ANYTHING);
    const { events: from, position } = second.written;
    expect(from).toBeGreaterThanOrEqual(10_000);
    expect(position).toBe(events[from - 1]!.position);
    await second.write(pageOf(from, events.length));
    expect(await second.close()).toEqual({ events: events.length, position: events.at(-1)!.position });
    expect(
      await queried(
        copy,
        'SELECT count(*) AS n, count(DISTINCT id) AS ids, count(DISTINCT "index") AS i FROM events',
      ),
    ).toEqual([{ n: String(events.length), ids: String(events.length), i: String(events.length) }]);
    const other = { filter: { types: ['JobFailed'] }, after: '' };
    await expect(openDuckDb(copy, other)).rejects.toThrow('name a new file, or ask for the same');
  });
});

describe.skipIf(!HAS_DUCKDB)('docs/analysts.md, of a generated year', () => {
  let path: string;
  const questions = new Map<string, string>();
  beforeAll(async () => {
    path = join(folder, 'year.duckdb');
    const file = await openDuckDb(path, ANYTHING);
    await file.write(pageOf(0, events.length));
    await file.close();
    const document = await readFile(new URL('../../../docs/analysts.md', import.meta.url), 'utf8');
    for (const [, title, query] of document.matchAll(/^## (.*)\n[^#`]*```sql\n([^`]*)```/gm))
      questions.set(title!, query!);
  });
  const answers = (title: string): Promise<readonly Record<string, unknown>[]> =>
    queried(path, questions.get(title)!);
  const time = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const hours = (ms: number): number => Math.round((ms / HOUR) * 10) / 10;
  const grouped = <T>(all: readonly T[], keyOf: (one: T) => string): readonly [string, readonly T[]][] => [
    ...Map.groupBy(all, keyOf),
  ];

  it('tells how long jobs queue, at which hour', async () => {
    const median = (numbers: readonly number[]): number => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const half = sorted.length / 2;
      return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
    };
    const expected = grouped(ledger.attempts, ({ queuedAt }) => String(new Date(queuedAt).getUTCHours()))
      .map(([hour, those]) => {
        const waits = those.map(({ waited }) => waited / SECOND);
        return {
          hour,
          attempts: String(those.length),
          median_seconds: median(waits),
          longest_seconds: Math.max(...waits),
        };
      })
      .toSorted((a, b) => Number(a.hour) - Number(b.hour));
    expect(expected.length).toBeGreaterThan(8);
    expect(await answers('How long do jobs queue, at which hour?')).toEqual(expected);
  });

  it('tells which sites fail most, and why', async () => {
    const expected = grouped(ledger.failures, ({ site, code }) => `${site} ${code}`)
      .map(([name, those]) => ({
        site: name.split(' ')[0]!,
        reason: name.split(' ')[1]!,
        failures: String(those.length),
        documents: String(new Set(those.map(({ locator }) => locator)).size),
        last_at: time(Math.max(...those.map(({ at }) => at))),
      }))
      .toSorted(
        (a, b) =>
          Number(b.failures) - Number(a.failures) ||
          `${a.site}${a.reason}`.localeCompare(`${b.site}${b.reason}`),
      );
    expect(expected.length).toBeGreaterThan(4);
    expect(await answers('Which sites fail most, and why?')).toEqual(expected);
  });

  it('tells who deleted what, and how long it took', async () => {
    const expected = ledger.deletions
      .toSorted((a, b) => a.at - b.at)
      .map(({ what, id, name, by, at, took }) => ({
        what,
        id,
        name,
        deleted_by: by,
        requested_at: time(at),
        seconds_until_gone: took === null ? null : took / SECOND,
      }));
    expect(new Set(expected.map(({ what }) => what)).size).toBe(3);
    expect(await answers('Who deleted what, and how long until it was gone?')).toEqual(expected);
  });

  it('tells which schedules never change anything', async () => {
    const expected = sites.flatMap(({ id, name, rrule }) => {
      const jobs = ledger.attempts.filter(
        (one) => one.sourceId === id && one.scheduled && one.outcome === 'success',
      );
      const changed = ledger.changes.some((one) => one.dataSourceId === id && one.scheduled);
      const work = hours(sum(jobs.map(({ worked }) => worked)));
      return rrule === null || changed || jobs.length < 10
        ? []
        : [{ name, rrule, jobs: String(jobs.length), hours_of_work: work }];
    });
    expect(expected).toHaveLength(2);
    expect(await answers('Which schedules never change anything?')).toEqual(expected);
  });

  it('tells how many tokens a principal used', async () => {
    const monthOf = (at: number): string => `${new Date(at).toISOString().slice(0, 7)}-01`;
    const expected = grouped(ledger.tokens, ({ principal, at }) =>
      JSON.stringify([principal, monthOf(at)]),
    ).map(([key, those]) => {
      const [principal, month] = JSON.parse(key) as [string | null, string];
      const [input, output] = [sum(those.map((one) => one.input)), sum(those.map((one) => one.output))];
      return { principal_id: principal, month, input: String(input), output: String(output) };
    });
    const found = await answers('How many tokens did which principal use?');
    expect(new Set(found.map((row) => row['principal_id'])).size).toBe(4);
    expect(found.map(({ month, ...row }) => ({ ...row, month: String(month).slice(0, 10) }))).toEqual(
      expected.toSorted((a, b) => a.month.localeCompare(b.month) || Number(b.input) - Number(a.input)),
    );
  });

  it('tells how much work is lost', async () => {
    const lost = ledger.attempts.filter(({ outcome }) => outcome !== 'success');
    expect(new Set(lost.map(({ outcome }) => outcome))).toEqual(new Set(['requeued', 'failure']));
    const worked = sum(lost.map((one) => one.worked));
    const all = sum(ledger.attempts.map((one) => one.worked));
    expect(new Set(lost.map(({ code }) => code))).toEqual(new Set(['worker_lost']));
    expect(await answers('How much work is lost to attempts that fail?')).toEqual([
      {
        code: 'worker_lost',
        attempts: String(lost.length),
        hours: hours(worked),
        percent_of_all_work: Math.round((1_000 * worked) / all) / 10,
      },
    ]);
  });

  it('tells which keys nobody uses', async () => {
    expect(START + 100 * DAY).toBeLessThan(events.at(-1)!.recordedAt);
    expect(await answers('Which keys are valid, and have caused no event for 90 days?')).toEqual([
      { name: 'reader', scopes: ['knowledge:read'], last_seen: time(START) },
    ]);
  });

  it('tells which documents change whenever they are read', async () => {
    const expected = grouped(ledger.changes, ({ locator }) => locator).flatMap(([locator, those]) => {
      const { dataSourceId } = those[0]!;
      const jobs = ledger.attempts.filter(
        ({ sourceId, outcome }) => sourceId === dataSourceId && outcome === 'success',
      ).length;
      const versions = those.length - ledger.failures.filter((one) => one.locator === locator).length;
      return versions >= 10 && versions >= 0.9 * jobs
        ? [{ locator, versions: String(versions), jobs: String(jobs) }]
        : [];
    });
    expect(expected).toHaveLength(6);
    expect(await answers('Which documents change whenever they are read?')).toEqual(
      expected.toSorted(
        (a, b) => Number(b.versions) - Number(a.versions) || a.locator.localeCompare(b.locator),
      ),
    );
  });

  it('has every view, and a row of each thing', async () => {
    expect(questions.size).toBe(8);
    const [counts] = await queried(
      path,
      `SELECT (SELECT count(*) FROM jobs) AS jobs, (SELECT count(*) FROM jobs WHERE outcome IS NULL) AS open_jobs,
        (SELECT count(*) FROM units) AS units, (SELECT count(*) FROM runs WHERE outcome = 'succeeded') AS runs,
        (SELECT count(*) FROM answers WHERE outcome = 'finished') AS answers,
        (SELECT count(*) FROM settings) AS settings, (SELECT count(*) FROM actors) AS actors,
        (SELECT count(*) FROM data_sources WHERE deleted_at IS NOT NULL) AS deleted`,
    );
    expect(counts).toEqual({
      jobs: String(ledger.attempts.length),
      open_jobs: '0',
      units: String(ledger.changes.length),
      runs: '52',
      answers: String(ledger.tokens.length - 52),
      settings: '8',
      actors: '5',
      deleted: '1',
    });
  });
});
