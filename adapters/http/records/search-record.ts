import type { Static } from 'typebox';
import type { Found } from '../../../application/search/found.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import type { Highlight } from '../../../domain/search/highlights.ts';
import type { JsonBytes } from '../answer.ts';
import type { SearchResults } from '../schemas/search.ts';
import { createJsonPieces } from './json-pieces.ts';
import { createJsonTexts, type JsonTexts } from './json-texts.ts';
import { contentRecord } from './source-record.ts';

type Results = Static<typeof SearchResults>;

/**
 * The answer to a search, as JSON: nine tenths of it are texts, which stay encoded from one search to the next.
 *
 * @param places of each hit, in the same order
 */
export const searchRecord = (
  hits: readonly SearchHit[],
  places: readonly (readonly Highlight[])[],
  rest: Omit<Results, 'results'>,
  jsonOf: JsonTexts,
): JsonBytes<Results> => {
  const json = createJsonPieces();
  json.text('{"results":[');
  for (const [i, { content, score, ranks }] of hits.entries()) {
    const { id, text, ...others } = contentRecord(content);
    json.text(`${i === 0 ? '' : ','}{"content":{"id":${JSON.stringify(id)},"text":`);
    json.bytes(jsonOf(text));
    json.text(`,${membersOf(others)}},${membersOf({ score, ranks })}`);
    json.text(`,"highlights":[${placesOf(places[i] ?? [])}]}`);
  }
  json.text(`],${membersOf(rest)}}`);
  return json.take();
};

/** Writes what was found as `POST /search` answers it. Texts stay encoded: one of these for all searches of a thread. */
export const createSearchRecords = (
  jsonOf = createJsonTexts(),
): ((found: Found, places: readonly (readonly Highlight[])[]) => JsonBytes<Results>) => {
  return ({ results, queryId, correctedQuery, totalCandidates, mode, reranked }, places) => {
    const rest = {
      query_id: queryId,
      ...(correctedQuery !== undefined && { corrected_query: correctedQuery }),
      total_candidates: totalCandidates,
      mode,
      reranked,
    };
    return searchRecord(results, places, rest, jsonOf);
  };
};

/** Without the braces. @param object with one member at least */
const membersOf = (object: object): string => JSON.stringify(object).slice(1, -1);

/** Written out: there are hundreds. */
const placesOf = (places: readonly Highlight[]): string => {
  let json = '';
  for (const { start, end } of places) json += `${json === '' ? '' : ','}{"start":${start},"end":${end}}`;
  return json;
};
