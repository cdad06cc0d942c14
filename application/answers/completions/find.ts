import { correctedLike } from '../../../domain/ranking/corrected-like.ts';
import type { UnwrittenWord } from '../../../domain/ranking/unwritten.ts';
import type { Caller } from '../../access/caller.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { Found } from '../../search/found.ts';
import type { CompletionRequest } from './completion.ts';
import type { CompletionDeps, Turn } from './completion-deps.ts';
import { type Grounding, UNGROUNDED } from './grounding.ts';

/** What a question may hold for retrieval, in characters. */
const QUERY_MOST = 4_000;
/** Words of a question that is too short to be searched alone. */
const SHORT = 6;

interface Finds {
  readonly contents: readonly ContentRecord[];
  /** The question as it was searched for: without the misspellings that the search corrected. */
  readonly question: string;
  /** What was searched for and no content has. */
  readonly unwritten: readonly UnwrittenWord[];
  readonly grounding: Grounding;
}

/** Contents and, where it is asked, the web at the same time. What fails first ends the other. */
export const find = async (
  deps: Pick<CompletionDeps, 'search' | 'ground'>,
  caller: Caller,
  request: CompletionRequest,
  { history }: Pick<Turn, 'history'>,
  signal: AbortSignal,
): Promise<Finds> => {
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const [query, question] = [queryOf(questions), questions.at(-1) ?? ''];
  if (query === '') return { contents: [], question, unwritten: [], grounding: UNGROUNDED };
  const ground = request.grounding ? deps.ground : null;
  const over = new AbortController();
  try {
    const searched = ground?.(caller.tenant, query, AbortSignal.any([signal, over.signal]));
    const [{ results, correctedQuery = query, unwritten = [] }, grounding = UNGROUNDED] = await Promise.all([
      retrieve(deps, caller, request, query),
      searched,
    ]);
    const contents = results.map(({ content }) => content);
    return { contents, question: correctedLike(question, query, correctedQuery), unwritten, grounding };
  } finally {
    over.abort();
  }
};

const retrieve = async (
  { search }: Pick<CompletionDeps, 'search'>,
  caller: Caller,
  { filter, limit, usePostfilter, principalId, authzPolicy }: CompletionRequest,
  query: string,
): Promise<Pick<Found, 'results' | 'correctedQuery' | 'unwritten'>> => {
  const asked = { principalId, ...(authzPolicy !== undefined && { authzPolicy }) };
  const wanted = { query, mode: 'hybrid', limit, rerank: false, usePostfilter, filter } as const;
  return search(caller, wanted, asked);
};

/** A short question leans on the one before it: "and on Windows?" alone finds nothing. */
const queryOf = (questions: readonly string[]): string => {
  const [question = '', before = ''] = questions.toReversed().map((text) => text.trim());
  const short = question.split(/\s+/).length < SHORT;
  return (short ? `${question} ${before}` : question).trim().slice(0, QUERY_MOST);
};
