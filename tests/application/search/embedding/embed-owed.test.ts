import { describe, expect, it } from 'vitest';
import { embedOwed } from '../../../../application/search/embedding/embed-owed.ts';
import type { OwedContent, VectorStore } from '../../../../application/ports/vector-index.ts';
import { createHashedEmbedder } from '../../../support/embedding/hashed-embedder.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { silent } from '../../../support/silent.ts';

const content = (place: number): OwedContent => ({
  place,
  tenant: 't',
  contentId: `${place}`,
  label: 'l',
  title: 'T',
  headings: [],
  text: 'x',
});

/**
 * A store in which `steps` of tending are to be done, each of 600 ms, and `owed` lets texts arrive: by the count of
 * steps that were done before. What happens is told in order; it ends with the first wait of five seconds.
 */
const run = async (steps: number, arriving: readonly (readonly [number, number])[] = []) => {
  const told: string[] = [];
  const done = new AbortController();
  const waiting = new Map(arriving);
  let [now, tended] = [0, 0];
  const store: VectorStore = {
    want: async () => {},
    owed: async () => {
      const due = [...waiting].filter(([after]) => after <= tended);
      for (const [after] of due) waiting.delete(after);
      return due.map(([, place]) => content(place));
    },
    link: async (_, __, contents) => {
      told.push(`embeds ${contents.map((of) => of.contentId).join()}`);
      return [];
    },
    keep: async () => {},
    sweep: async () => 0,
    retire: async () => 0,
    forget: async () => {},
    tend: async () => {
      if (tended === steps) return false;
      [tended, now] = [tended + 1, now + 600];
      told.push('grows');
      return tended < steps;
    },
  };
  await embedOwed(
    {
      store,
      embedder: createHashedEmbedder(),
      hash: sha256,
      clock: { now: () => now },
      log: silent,
      sleep: async (ms) => void told.push(`sleeps ${ms}`),
      idle: async (ms) => {
        told.push(`waits ${ms}`);
        done.abort();
      },
    },
    done.signal,
  );
  return told;
};

describe('what searches gain by', () => {
  it('is done without a pause until nothing more is to be done', async () => {
    expect(await run(25)).toEqual([...grows(25), 'sleeps 250', 'waits 5000']);
  });

  it('lets texts that arrive meanwhile go first, after a second or so', async () => {
    expect(await run(8, [[3, 7]])).toEqual([
      ...grows(4),
      'embeds 7',
      ...grows(4),
      'sleeps 250',
      'waits 5000',
    ]);
  });
});

const grows = (times: number): readonly string[] => Array.from({ length: times }, () => 'grows');
