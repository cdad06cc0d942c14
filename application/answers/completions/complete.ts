import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { ClaimedTurn } from '../conversations/turns.ts';
import { answer, type Answering, giveUp } from './answer.ts';
import type { CompletionRequest, RunningCompletion } from './completion.ts';
import type { CompletionDeps, Turn } from './completion-deps.ts';
import { abortCode, failureCode } from './failure-code.ts';
import { type ChosenModel, chooseModel } from './model-choice.ts';
import { buildPrompt, type Passage, type Prompt, webPassage } from './prompt.ts';
import { logProviderFailure } from '../../ports/language-model.ts';
import { correctedLike } from '../../../domain/ranking/corrected-like.ts';
import type { UnwrittenWord } from '../../../domain/ranking/unwritten.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { Found } from '../../search/found.ts';
import { type Grounding, UNGROUNDED } from './grounding.ts';

/** What a question may hold for retrieval, in characters. */
const MAX_QUERY = 4_000;
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
  return (short ? `${question} ${before}` : question).trim().slice(0, MAX_QUERY);
};

export type Complete = (
  caller: Caller,
  request: CompletionRequest,
  signal: AbortSignal,
  /** The caller's `Idempotency-Key`. */
  key?: string,
) => Promise<RunningCompletion>;

/**
 * Records the question, finds contents, and pages of the web where they are asked for, and lets the model answer from
 * them. What is asked and answered becomes part of the conversation; an answer that fails, or that nobody waits for any
 * more, is recorded as failed. With a key that was used before, the first answer is given again.
 *
 * @throws DomainError, ProviderError, ProviderTimeout: from the call while nothing was answered, from `events` after
 * @throws AnswerInProgress
 */
export const createComplete =
  (deps: CompletionDeps): Complete =>
  async (caller, request, signal, key) => {
    mustBeAnswerable(request, deps.ground !== null);
    const chosen = chooseModel(deps.offer, request);
    if (key === undefined) return begin(deps, { caller, request, chosen, signal }, { request });
    const entry = await deps.claimCompletion(caller, request, key, signal);
    if (entry.kind === 'again') return deps.replay(caller, request, entry);
    try {
      const running = await begin(deps, { caller, request, chosen, signal }, entry);
      return { ...running, events: until(running.events, entry.done) };
    } catch (error) {
      await entry.done();
      throw error;
    }
  };

async function* until<T>(events: AsyncIterable<T>, done: () => Promise<void>): AsyncGenerator<T> {
  try {
    yield* events;
  } finally {
    await done();
  }
}

type Begun = Pick<Answering, 'caller' | 'request' | 'chosen' | 'signal'>;
/** What is recorded of the request, and under which ids. */
interface Opening {
  readonly request: CompletionRequest;
  readonly claimed?: ClaimedTurn;
}

const begin = async (
  deps: CompletionDeps,
  { caller, request, chosen, signal }: Begun,
  { request: opened, claimed }: Opening,
): Promise<RunningCompletion> => {
  const turn = await deps.turns.open(caller, opened, claimed);
  const { conversationId, userMessageId, assistantMessageId } = turn;
  try {
    const { contents, question, unwritten, grounding } = await find(deps, caller, request, turn, signal);
    const passages = [...contents, ...grounding.results.map(webPassage)];
    const prompt = promptFor(deps, chosen, request, turn, passages);
    const shown = contents.slice(0, prompt.passages);
    const pages = grounding.results.slice(0, Math.max(0, prompt.passages - contents.length));
    const web = { ...grounding, results: pages };
    const redactor = await deps.redactorFor(caller.tenant);
    const asked = {
      caller,
      request,
      chosen,
      turn,
      prompt,
      question,
      unwritten,
      shown,
      web,
      redactor,
      signal,
    };
    const events = answer(deps, { ...asked, keyed: claimed !== undefined });
    const ids = { conversationId, userMessageId, assistantMessageId };
    return { ...ids, contents: shown, web, events, replayed: false };
  } catch (error) {
    // The model is not asked yet, and a search does without its providers.
    if (!signal.aborted) logProviderFailure(deps.log, 'web search', error, { conversationId });
    await giveUp(deps, caller, turn, signal.aborted ? abortCode(signal) : failureCode(error));
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
    refuse('parent_message_id and regenerate go with the conversation_id that they belong to');
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
