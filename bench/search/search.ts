import type { Bench } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { openEngine, realQuestions } from './engine.ts';
import { healthDuring } from './health.ts';
import { buildLine, growthLine, rateLine, sizeLine, timeLine } from './lines.ts';
import { documentsOf, passagesFile } from './passages.ts';
import { startRival } from './rivals.ts';

const CLIENTS = 32;
const QUESTIONS = 64;
/** Of them, those that FTS5 is asked, which takes its time. */
const OF_FTS5 = 16;
const REAL = 'all different';

/**
 * Real texts and questions, in the program and in two engines that are used elsewhere. Ours ranks twice, by the query and
 * by what the best have in common, counts what it found, and looks who may see it; the rivals do none of it.
 */
export const searchBench: Bench = {
  name: 'search',
  needs: ['@lancedb/lancedb', 'autocannon'],
  measure: async function* measure(run) {
    const { quick, cleanup, profiling } = run;
    const file = await passagesFile();
    const engine = await openEngine(run, await documentsOf(file));
    const questions = (await realQuestions()).slice(0, quick ? 10 : QUESTIONS);
    const ask = (of: Ask) => async () => timesOf(of, questions);
    await engine.growTo(quick ? 500 : 10_000);
    const { contents: before } = await engine.sizes();
    const inFew = await inTurn(1, { process: ask(engine.inProcess), http: ask(engine.overHttp) });

    const ms = await profiling.profiled(() => engine.growTo(quick ? 2_000 : 100_000));
    const sizes = await engine.sizes();
    const { contents } = sizes;
    const passages = { file, contents };
    const [lancedb, fts5] = [
      await startRival('lancedb', passages, cleanup),
      await startRival('fts5', passages, cleanup),
    ];
    yield buildLine({ ms, contents: contents - before }, lancedb.built, fts5.built);
    yield sizeLine(sizes, lancedb.built, fts5.built);

    const { process, http, ...rivals } = await inTurn(quick ? 1 : 2, {
      process: () => profiling.profiled(ask(engine.inProcess)),
      http: () => profiling.profiledIn(engine.service, ask(engine.overHttp)),
      lancedb: () => lancedb.times(questions),
      fts5: () => fts5.times(questions.slice(0, OF_FTS5)),
    });
    yield timeLine('in process', { ours: process, ...rivals }, contents);
    yield timeLine('over HTTP', { ours: http, ...rivals }, contents);

    const clients = startChild('search/clients.mjs');
    cleanup.defer(clients.stop);
    const load = { questions, clients: CLIENTS, ms: quick ? 500 : 5_000 };
    const health: number[] = [];
    const rates = await inTurn(quick ? 1 : 2, {
      ours: async () => {
        const { base, key } = engine.service;
        const [{ perSecond, failed }, times] = await healthDuring(
          base,
          async () => (await clients.ask({ ...load, base, requests: requestsOf(questions, key) })) as Rate,
        );
        health.push(...times);
        if (failed > 0) throw new Error(`${failed} searches failed`);
        return [perSecond];
      },
      lancedb: async () => [await lancedb.rate(load)],
    });
    yield rateLine(CLIENTS, { ours: rates.ours, health }, rates.lancedb);
    for (const [measured, few, many] of [
      ['in process', inFew.process, process],
      ['over HTTP', inFew.http, http],
    ] as const) {
      yield growthLine(measured, { contents: before, times: few }, { contents, times: many }, REAL);
    }
  },
};

/** From 10,000 to 1,000,000 contents: takes minutes. */
export const searchGrowthBench: Bench = {
  name: 'search-growth',
  needs: [],
  measure: async function* measure(run) {
    const engine = await openEngine(run, await documentsOf(await passagesFile()));
    const questions = await realQuestions();
    const measured = async (contents: number) => {
      await engine.growTo(contents);
      const ask = async () => timesOf(engine.inProcess, questions);
      const { times } = await inTurn(2, { times: ask });
      return { contents: (await engine.sizes()).contents, times };
    };
    const few = await measured(run.quick ? 500 : 10_000);
    const many = await measured(run.quick ? 2_000 : 1_000_000);
    yield growthLine('in process', few, many, 'each some ten times, as there are no more');
  },
};

const requestsOf = (questions: readonly string[], key: string) =>
  questions.map((query) => ({
    method: 'POST',
    path: '/api/v1/search',
    body: JSON.stringify({ query }),
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  }));

type Ask = (query: string) => Promise<readonly unknown[]>;
interface Rate {
  readonly perSecond: number;
  readonly failed: number;
}

/** Milliseconds of each. */
const timesOf = async (ask: Ask, questions: readonly string[]): Promise<readonly number[]> => {
  const times: number[] = [];
  for (const question of questions) {
    const begun = performance.now();
    await ask(question);
    times.push(performance.now() - begun);
  }
  return times;
};

/** All sides in random order, again and again; the first time, when pages are read and code is compiled, does not count. */
const inTurn = async <Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<readonly number[]>>>,
): Promise<Record<Side, readonly number[]>> => {
  const all = Object.fromEntries(Object.keys(sides).map((side) => [side, [] as number[]])) as Record<
    Side,
    number[]
  >;
  for (let round = 0; round <= rounds; round++) {
    const order = (Object.entries(sides) as [Side, () => Promise<readonly number[]>][])
      .map((entry) => ({ entry, by: Math.random() }))
      .toSorted((a, b) => a.by - b.by);
    for (const {
      entry: [side, measure],
    } of order) {
      const measured = await measure();
      if (round > 0) all[side].push(...measured);
    }
  }
  return all;
};
