import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonTexts } from '../../../adapters/http/records/json-texts.ts';
import { searchRecord } from '../../../adapters/http/routes/search.ts';
import { contentRecord } from '../../../adapters/http/routes/sources.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '“', 'é', '東', '🦅', '\ud800') });
const hit = fc.record({
  content: fc.record({
    id: fc.uuid(),
    text,
    url: text,
    title: text,
    timestamp: fc.nat(),
    fileType: text,
    pageNumber: fc.nat(),
    sourceType: fc.constant('crawl' as const),
    sourceId: fc.uuid(),
    keywords: fc.array(text, { maxLength: 3 }),
  }),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  ranks: fc.record({ keyword: fc.nat(), vector: fc.nat() }, { requiredKeys: [] }),
});
const place = fc.record({ start: fc.nat(), end: fc.nat() });
const rest = fc.record(
  {
    query_id: fc.uuid(),
    corrected_query: text,
    total_candidates: fc.nat(),
    mode: fc.constantFrom('hybrid', 'keyword'),
    reranked: fc.boolean(),
  },
  { requiredKeys: ['query_id', 'total_candidates', 'mode', 'reranked'] },
);

it('the answer to a search is what JSON makes of it, field by field', () => {
  const jsonOf = createJsonTexts(2_000);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hit, fc.array(place, { maxLength: 4 })), { maxLength: 5 }),
      rest,
      (found, others) => {
        const [hits, places] = [found.map(([one]) => one), found.map(([, of]) => of)];
        const results = found.map(([{ content, score, ranks }, highlights]) => ({
          content: contentRecord(content),
          score,
          ranks,
          highlights,
        }));
        const json = searchRecord(hits, places, others, jsonOf);
        expect(json.toString()).toBe(JSON.stringify({ results, ...others }));
      },
    ),
  );
});
