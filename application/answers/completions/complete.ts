import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { ClaimedTurn } from '../conversations/turns.ts';
import { answer, type AnswerInput, recordFailure } from './answer.ts';
import type { CompletionRequest, RunningCompletion } from './completion.ts';
import type { CompletionDeps, Turn } from './completion-deps.ts';
import { abortCode, failureCode } from './failure-code.ts';
import { type ChosenModel, chooseModel } from './model-choice.ts';
import { buildPrompt, type Passage, type Prompt, webPassage } from './prompt.ts';
import { logProviderFailure } from '../../ports/language-model.ts';
import { correctedLike } from '../../../domain/ranking/corrected-like.ts';
import type { WordRarity } from '../../../domain/ranking/term-weights.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { SearchResponse } from '../../search/rerank-results.ts';
import { type Grounding, UNGROUNDED } from './grounding.ts';

/** Maximum length of a retrieval query in characters. The rest of a longer question is in the prompt, and nowhere else. */
const MAX_QUERY = 4_000;
/** A question with fewer words is searched together with the previous question. */
const SHORT_QUESTION_WORDS = 6;

interface RetrievalResult {
  readonly contents: readonly ContentRecord[];
  /** The question with the misspellings corrected that the search corrected. */
  readonly question: string;
  /** Words of the query that no content contains. */
  readonly rarities: readonly WordRarity[];
  readonly grounding: Grounding;
}

/** Searches the contents and, if requested, the web concurrently. The first failure cancels the web search. */
export const retrieveSources = async (
  deps: Pick<CompletionDeps, 'search' | 'ground'>,
  caller: Caller,
  request: CompletionRequest,
  { history }: Pick<Turn, 'history'>,
  signal: AbortSignal,
): Promise<RetrievalResult> => {
  const questions = history
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content.trimStart().slice(0, MAX_QUERY));
  const [query, question] = [queryOf(questions), questions.at(-1) ?? ''];
  if (query === '') return { contents: [], question, rarities: [], grounding: UNGROUNDED };
  const searchWeb = request.grounding ? deps.ground : null;
  const cancellation = new AbortController();
  try {
    const webSearch = searchWeb?.(caller.tenant, query, AbortSignal.any([signal, cancellation.signal]));
    const [{ results, correctedQuery = query, rarities = [] }, grounding = UNGROUNDED] = await Promise.all([
      retrieve(deps, caller, request, query),
      webSearch,
    ]);
    const contents = results.map(({ content }) => content);
    return { contents, question: correctedLike(question, query, correctedQuery), rarities, grounding };
  } finally {
    cancellation.abort();
  }
};

const retrieve = async (
  { search }: Pick<CompletionDeps, 'search'>,
  caller: Caller,
  { filter, limit, usePostfilter, principalId, authzPolicy }: CompletionRequest,
  query: string,
): Promise<Pick<SearchResponse, 'results' | 'correctedQuery' | 'rarities'>> => {
  const asked = { principalId, ...(authzPolicy !== undefined && { authzPolicy }) };
  const searchRequest = { query, mode: 'hybrid', limit, rerank: false, usePostfilter, filter } as const;
  return search(caller, searchRequest, asked);
};

/** A short question is searched together with the previous one: "and on Windows?" alone finds nothing. */
const queryOf = (questions: readonly string[]): string => {
  const [question = '', before = ''] = questions.toReversed().map((text) => text.trim());
  const short = question.split(/\s+/).length < SHORT_QUESTION_WORDS;
  return (short ? `${question} ${before}` : question).trim().slice(0, MAX_QUERY);
};

export type Complete = (
  caller: Caller,
  request: CompletionRequest,
  signal: AbortSignal,
  /** The `Idempotency-Key` of the caller. */
  key?: string,
) => Promise<RunningCompletion>;

/**
 * Records the question, searches contents and, if requested, the web, and streams the model's answer from the results.
 * The question and the answer become part of the conversation; an answer that fails, or whose client has disconnected,
 * is recorded as failed. A request with a key that was used before replays the first answer.
 *
 * @throws DomainError, ProviderError, ProviderTimeout: from the call before the answer starts, from `events`
 *   afterwards
 * @throws AnswerInProgress
 */
export const createComplete =
  (deps: CompletionDeps): Complete =>
  async (caller, request, signal, key) => {
    mustBeAnswerable(request, deps.ground !== null);
    const chosen = chooseModel(deps.offer, request);
    if (key === undefined) return startCompletion(deps, { caller, request, chosen, signal }, { request });
    const claim = await deps.claimCompletion(caller, request, key, signal);
    if (claim.kind === 'again') return deps.replay(caller, request, claim);
    try {
      const running = await startCompletion(deps, { caller, request, chosen, signal }, claim);
      return { ...running, events: withCleanup(running.events, claim.done) };
    } catch (error) {
      await claim.done();
      throw error;
    }
  };

async function* withCleanup<T>(events: AsyncIterable<T>, done: () => Promise<void>): AsyncGenerator<T> {
  try {
    yield* events;
  } finally {
    await done();
  }
}

type CompletionStart = Pick<AnswerInput, 'caller' | 'request' | 'chosen' | 'signal'>;
/** The request to record, and the ids to record it under. */
interface RecordedRequest {
  readonly request: CompletionRequest;
  readonly claimed?: ClaimedTurn;
}

const startCompletion = async (
  deps: CompletionDeps,
  { caller, request, chosen, signal }: CompletionStart,
  { request: opened, claimed }: RecordedRequest,
): Promise<RunningCompletion> => {
  const turn = await deps.turns.open(caller, opened, claimed);
  const { conversationId, userMessageId, assistantMessageId } = turn;
  try {
    const { contents, question, rarities, grounding } = await retrieveSources(
      deps,
      caller,
      request,
      turn,
      signal,
    );
    const passages = [...contents, ...grounding.results.map(webPassage)];
    const prompt = promptFor(deps, chosen, request, turn, passages);
    const shown = contents.slice(0, prompt.passages);
    const pages = grounding.results.slice(0, Math.max(0, prompt.passages - contents.length));
    const web = { ...grounding, results: pages };
    const newRedactor = await deps.redactorsFor(caller.tenant);
    const asked = {
      caller,
      request,
      chosen,
      turn,
      prompt,
      question,
      rarities,
      shown,
      web,
      newRedactor,
      signal,
    };
    const events = answer(deps, { ...asked, keyed: claimed !== undefined });
    const ids = { conversationId, userMessageId, assistantMessageId };
    return { ...ids, contents: shown, web, events, replayed: false };
  } catch (error) {
    // Only the web search can have failed here: the model is not called yet, and the content search tolerates failed
    // providers.
    if (!signal.aborted) logProviderFailure(deps.log, 'web search', error, { conversationId });
    await recordFailure(deps, caller, turn, signal.aborted ? abortCode(signal) : failureCode(error));
    throw error;
  }
};

const mustBeAnswerable = (
  { messages, grounding, conversationId, parentMessageId, regenerate }: CompletionRequest,
  isGroundable: boolean,
): void => {
  const refuse = (message: string): never => {
    throw new DomainError('invalid_request', message);
  };
  if (messages.at(-1)?.role !== 'user') refuse('the last message must be from the user');
  if (!regenerate && messages.at(-1)?.content.trim() === '') refuse('the last message must not be blank');
  if (conversationId === undefined && (regenerate || parentMessageId !== undefined)) {
    refuse('parent_message_id and regenerate require the conversation_id that they belong to');
  }
  if (grounding && !isGroundable) {
    throw new DomainError('not_configured', 'no web search provider is set up: leave grounding out');
  }
};

const promptFor = (
  { ids }: CompletionDeps,
  { model, maxOutputTokens }: ChosenModel,
  { citation, truncation, messages }: CompletionRequest,
  { history }: Turn,
  passages: readonly Passage[],
): Prompt =>
  buildPrompt({
    system: messages.filter(({ role }) => role === 'system').map(({ content }) => content),
    history: history.slice(0, -1),
    question: history.at(-1)?.content ?? '',
    passages,
    citation,
    nonce: ids.newId().replaceAll('-', '').slice(-12),
    contextWindow: model.contextWindow,
    answerTokens: maxOutputTokens,
    truncation,
  });
