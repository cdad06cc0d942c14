import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Caller } from '../caller.ts';
import type { ContentRecord } from '../ports/catalog.ts';
import { answer, giveUp } from './answer.ts';
import type { CompletionRequest, RunningCompletion } from './completion.ts';
import type { CompletionDeps, Turn } from './completion-deps.ts';
import { abortCode, failureCode } from './failure-code.ts';
import { type Grounding, UNGROUNDED } from './grounding.ts';
import { type ChosenModel, chooseModel } from './model-choice.ts';
import { buildPrompt, type Passage, type Prompt, webPassage } from './prompt.ts';
import { logProviderFailure } from '../provider-failure.ts';

export type Complete = (
  caller: Caller,
  request: CompletionRequest,
  signal: AbortSignal,
) => Promise<RunningCompletion>;

/** What a question may hold for retrieval, in characters. */
const QUERY_MOST = 4_000;
/** Words of a question that is too short to be searched alone. */
const SHORT = 6;

/**
 * Records the question, finds contents, and pages of the web where they are asked for, and lets the model answer from them. What is asked and answered becomes part of
 * the conversation; an answer that fails, or that nobody waits for any more, is recorded as failed.
 *
 * @throws DomainError, ProviderError, ProviderTimeout: from the call while nothing was answered, from `events` after
 */
export const createComplete =
  (deps: CompletionDeps): Complete =>
  async (caller, request, signal) => {
    mustBeAnswerable(request, deps.ground !== null);
    const chosen = chooseModel(deps.offer, request);
    const turn = await deps.turns.open(caller, request);
    try {
      const { contents, grounding } = await find(deps, caller, request, turn, signal);
      const passages = [...contents, ...grounding.results.map(webPassage)];
      const prompt = promptFor(deps, chosen, request, turn, passages);
      const shown = contents.slice(0, prompt.passages);
      const web = {
        ...grounding,
        results: grounding.results.slice(0, Math.max(0, prompt.passages - contents.length)),
      };
      const redactor = await deps.redactorFor(caller.tenant);
      const events = answer(deps, { caller, request, chosen, turn, prompt, shown, web, redactor, signal });
      const { conversation_id, user_message_id, assistant_message_id } = turn;
      return { conversation_id, user_message_id, assistant_message_id, contents: shown, web, events };
    } catch (error) {
      // The model is not asked yet, and a search does without its providers.
      const { conversation_id } = turn;
      if (!signal.aborted) logProviderFailure(deps.log, 'web search', error, { conversation_id });
      await giveUp(deps, caller, turn, signal.aborted ? abortCode(signal) : failureCode(error));
      throw error;
    }
  };

const mustBeAnswerable = (
  { messages, grounding, conversation_id, parent_message_id, regenerate }: CompletionRequest,
  isGroundable: boolean,
): void => {
  const refuse = (message: string): never => {
    throw new DomainError('invalid_request', message);
  };
  if (messages.at(-1)?.role !== 'user') refuse('the last message must be from the user');
  if (!regenerate && messages.at(-1)?.content.trim() === '') refuse('the last message must not be blank');
  if (conversation_id === undefined && (regenerate || parent_message_id !== undefined)) {
    refuse('parent_message_id and regenerate go with the conversation_id that they belong to');
  }
  if (grounding && !isGroundable) {
    throw new DomainError('not_configured', 'no web search provider is set up: leave grounding out');
  }
};

interface Finds {
  readonly contents: readonly ContentRecord[];
  readonly grounding: Grounding;
}

/** Contents and, where it is asked, the web at the same time. What fails first ends the other. */
const find = async (
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
  { filter, limit, use_postfilter, principal_id, authz_policy }: CompletionRequest,
  query: string,
): Promise<readonly ContentRecord[]> => {
  const asked = { principal_id, ...(authz_policy !== undefined && { authz_policy }) };
  const wanted = { query, mode: 'hybrid', limit, rerank: false, use_postfilter, filter } as const;
  const found = await search(caller, wanted, asked);
  return found.results.map(({ content }) => content);
};

/** A short question leans on the one before it: "and on Windows?" alone finds nothing. */
const queryOf = (questions: readonly string[]): string => {
  const [question = '', before = ''] = questions.toReversed().map((text) => text.trim());
  const short = question.split(/\s+/).length < SHORT;
  return (short ? `${question} ${before}` : question).trim().slice(0, QUERY_MOST);
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
