import type { Caller } from '../caller.ts';
import type { ContentRecord } from '../ports/contents.ts';
import type { CompletionRequest } from './completion.ts';
import type { CompletionDeps, Turn } from './completion-deps.ts';
import { type Grounding, UNGROUNDED } from './grounding.ts';

/** What a question may hold for retrieval, in characters. */
const QUERY_MOST = 4_000;
/** Words of a question that is too short to be searched alone. */
const SHORT = 6;

interface Finds {
  readonly contents: readonly ContentRecord[];
  readonly grounding: Grounding;
}

/** Contents and, where it is asked, the web at the same time. What fails first ends the other. */
export const find = async (
  deps: CompletionDeps,
  caller: Caller,
  request: CompletionRequest,
  { history }: Turn,
  signal: AbortSignal,
): Promise<Finds> => {
  const query = queryOf(history.filter(({ role }) => role === 'user').map(({ content }) => content));
  if (query === '') return { contents: [], grounding: UNGROUNDED };
  const ground = request.grounding ? deps.ground : null;
  const over = new AbortController();
  try {
    const searched = ground?.(caller.tenant, query, AbortSignal.any([signal, over.signal]));
    const [contents, grounding = UNGROUNDED] = await Promise.all([
      retrieve(deps, caller, request, query),
      searched,
    ]);
    return { contents, grounding };
  } finally {
    over.abort();
  }
};

const retrieve = async (
  { search }: CompletionDeps,
  caller: Caller,
  { filter, limit, usePostfilter, principalId, authzPolicy }: CompletionRequest,
  query: string,
): Promise<readonly ContentRecord[]> => {
  const asked = { principalId, ...(authzPolicy !== undefined && { authzPolicy }) };
  const wanted = { query, mode: 'hybrid', limit, rerank: false, usePostfilter, filter } as const;
  const found = await search(caller, wanted, asked);
  return found.results.map(({ content }) => content);
};

/** A short question leans on the one before it: "and on Windows?" alone finds nothing. */
const queryOf = (questions: readonly string[]): string => {
  const [question = '', before = ''] = questions.toReversed().map((text) => text.trim());
  const short = question.split(/\s+/).length < SHORT;
  return (short ? `${question} ${before}` : question).trim().slice(0, QUERY_MOST);
};
