import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fetched } from '../../../../application/sources/crawl/fetch-stage.ts';
import {
  BATCH_BYTES,
  BATCH_PAGES,
  createFetchedPages,
  type FetchedPages,
} from '../../../../application/sources/crawl/visit-all.ts';

/** Its URL tells it apart; null: it came to nothing. */
const page = (url: string, bytes: number | null): Fetched =>
  ({
    owed: { url, depth: 1, links: [] },
    purpose: 'index',
    outcome: bytes === null ? { kind: 'robots' } : { kind: 'page', body: { byteLength: bytes } },
  }) as unknown as Fetched;

const waitingFor = (...sizes: readonly (number | null)[]): FetchedPages => {
  const pages = createFetchedPages();
  for (const [i, bytes] of sizes.entries()) pages.add(page(String(i), bytes));
  return pages;
};
const many = (count: number, bytes: number | null) => Array.from({ length: count }, () => bytes);

describe('fetched pages', () => {
  it('make a batch when there are enough of them, whatever came of them', () => {
    expect(waitingFor(...many(BATCH_PAGES - 1, null)).isBatch()).toBe(false);
    expect(waitingFor(...many(BATCH_PAGES, null)).isBatch()).toBe(true);
    expect([waitingFor(BATCH_BYTES - 1).isBatch(), waitingFor(BATCH_BYTES).isBatch()]).toEqual([false, true]);
    const pages = waitingFor(...many(BATCH_PAGES + 1, null));
    expect(pages.isBatch()).toBe(true);
    expect(pages.take()).toHaveLength(BATCH_PAGES);
    expect(pages.count()).toBe(1);
  });

  it('make a batch when they are large, however few', () => {
    const pages = waitingFor(BATCH_BYTES / 2, BATCH_BYTES / 2, 1);
    expect(pages.isBatch()).toBe(true);
    expect(pages.take()).toHaveLength(2);
    expect([pages.isBatch(), pages.count()]).toEqual([false, 1]);
  });

  it('go one by one where each is larger than a batch', () => {
    const pages = waitingFor(3 * BATCH_BYTES, 3 * BATCH_BYTES);
    expect(pages.take()).toHaveLength(1);
    expect(pages.take()).toHaveLength(1);
    expect([pages.take(), pages.hasRoom()]).toEqual([[], true]);
  });

  it('have room for two batches, by number and by size', () => {
    expect(waitingFor(...many(2 * BATCH_PAGES - 1, 1)).hasRoom()).toBe(true);
    expect(waitingFor(...many(2 * BATCH_PAGES, 1)).hasRoom()).toBe(false);
    expect(waitingFor(BATCH_BYTES, BATCH_BYTES - 1).hasRoom()).toBe(true);
    expect(waitingFor(BATCH_BYTES, BATCH_BYTES).hasRoom()).toBe(false);
  });

  it('come out in the order in which they came in, each once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom('take' as const), fc.nat({ max: BATCH_BYTES }), fc.constant(null)),
          { maxLength: 60 },
        ),
        (steps) => {
          const pages = createFetchedPages();
          const [given, taken]: [string[], string[]] = [[], []];
          const take = () => taken.push(...pages.take().map(({ owed }) => owed.url));
          for (const [i, step] of steps.entries()) {
            if (step === 'take') take();
            else {
              given.push(String(i));
              pages.add(page(String(i), step));
            }
          }
          while (pages.count() > 0) take();
          expect(taken).toEqual(given);
          expect([pages.isBatch(), pages.hasRoom()]).toEqual([false, true]);
        },
      ),
    );
  });
});
