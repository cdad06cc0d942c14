import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fetched } from '../../../../application/sources/crawl/fetch-stage.ts';
import { BATCH_BYTES, createFetchedPages } from '../../../../application/sources/crawl/visit-all.ts';

/** Its URL tells it apart; null: it came to nothing. */
const page = (url: string, bytes: number | null): Fetched =>
  ({
    owed: { url, depth: 1, links: [] },
    purpose: 'index',
    outcome: bytes === null ? { kind: 'robots' } : { kind: 'page', body: { byteLength: bytes } },
  }) as unknown as Fetched;

describe('fetched pages', () => {
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
