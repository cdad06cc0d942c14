import { type CitationMarks, createCitationMarks } from '../../../domain/answer/citation-marks.ts';
import type { WordRarity } from '../../../domain/ranking/term-weights.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { Caller } from '../../access/caller.ts';
import type { PromptSources } from '../conversations/message-text.ts';
import {
  type FinishReason,
  type ModelEvent,
  type ModelUsage,
  logProviderFailure,
} from '../../ports/language-model.ts';
import type { WebCitation, WebResult } from '../../ports/web-search.ts';
import type { Completion, CompletionEvent, CompletionRequest } from './completion.ts';
import type { CompletionDeps, NewRedactor, Redactor, Turn } from './completion-deps.ts';
import { abortCode, failureCode } from './failure-code.ts';
import type { Grounding } from './grounding.ts';
import type { ChosenModel } from './model-choice.ts';
import { type Prompt, webPassage } from './prompt.ts';
import { mustNotBeEmpty } from '../empty-answer.ts';

export interface AnswerInput {
  readonly caller: Caller;
  readonly request: CompletionRequest;
  readonly chosen: ChosenModel;
  readonly turn: Turn;
  readonly prompt: Prompt;
  /** The question with its misspellings corrected. */
  readonly question: string;
  /** Words of the query that no content contains. */
  readonly rarities: readonly WordRarity[];
  /** The contents in the prompt; they precede the web pages. */
  readonly shown: readonly ContentRecord[];
  readonly web: Grounding;
  readonly newRedactor: NewRedactor;
  /** Whether the request has an idempotency key, so that the answer may be replayed. */
  readonly keyed: boolean;
  readonly signal: AbortSignal;
}

/**
 * Streams the model's answer, numbers its citations, and records its end: finished, failed, or abandoned by the
 * client.
 */
export async function* answer(deps: CompletionDeps, input: AnswerInput): AsyncGenerator<CompletionEvent> {
  const { caller, request, turn, prompt, question, rarities, shown, web, newRedactor, signal } = input;
  const { model, ...limits } = input.chosen;
  const marks = request.citation ? createCitationMarks(shown.length, web.results.length) : VERBATIM;
  const redactor = newRedactor();
  let content = '';
  let code: string | null = 'client_gone';
  const cited = () => ({
    citations: marks.cited().map((index) => shown[index]!),
    webCitations: marks.citedWeb().map((index) => webCitation(web.results[index]!)),
  });
  const citedCount = () => marks.cited().length + marks.citedWeb().length;
  let told = 0;
  try {
    const modelRequest = {
      messages: prompt.messages,
      passages: [...shown, ...web.results.map(webPassage)],
      question,
      rarities,
      cite: request.citation,
      ...limits,
    };
    let finish: { readonly reason: FinishReason; readonly usage: ModelUsage | null } | undefined;
    for await (const event of redactedThoughts(model.stream(modelRequest, signal), newRedactor)) {
      if (event.kind === 'tool_call') continue; // no tools are offered
      if (event.kind === 'reasoning') {
        yield event;
        continue;
      }
      if (event.kind === 'finish') finish = event;
      const text =
        event.kind === 'delta'
          ? redactor.push(marks.push(event.text))
          : redactor.push(marks.flush()) + redactor.flush();
      content += text;
      if (text === '') continue;
      const count = citedCount();
      yield { kind: 'delta', text, ...(count > told && { cited: cited() }) };
      told = count;
    }
    if (finish === undefined) throw new Error('the model ended without a finish');
    mustNotBeEmpty(content, finish.reason);
    const { citations, webCitations } = cited();
    const at = await deps.turns.finish(caller, turn, {
      content,
      finishReason: finish.reason,
      model: model.name,
      usage: finish.usage,
      citedContentIds: citations.map(({ id }) => id),
      webCitations,
      ...(input.keyed && { shown: promptSourcesOf(shown, web) }),
    });
    code = null;
    const message = { role: 'assistant', content } as const;
    const searched = { webSearchQueries: web.queries, searchSuggestion: web.suggestion };
    const choice = {
      index: 0,
      message,
      finishReason: finish.reason,
      citations,
      webCitations,
      ...searched,
    } as const;
    const finished = { choices: [choice], model: model.name, usage: finish.usage } as const;
    yield { kind: 'finished', completion: completionOf(turn, at, finished) };
  } catch (error) {
    code = failureCode(error);
    const { conversationId } = turn;
    if (!signal.aborted) logProviderFailure(deps.log, 'language model', error, { conversationId });
    throw error;
  } finally {
    if (code !== null) await recordFailure(deps, caller, turn, signal.aborted ? abortCode(signal) : code);
  }
}

/** The events with redacted reasoning: each stretch of it, up to what follows, is a text of its own. */
async function* redactedThoughts(
  events: AsyncIterable<ModelEvent>,
  newRedactor: NewRedactor,
): AsyncGenerator<ModelEvent> {
  let redactor: Redactor | null = null;
  for await (const event of events) {
    const isThought = event.kind === 'reasoning';
    if (isThought) redactor ??= newRedactor();
    const text = isThought ? redactor!.push(event.text) : (redactor?.flush() ?? '');
    if (text !== '') yield { kind: 'reasoning', text };
    if (isThought) continue;
    redactor = null;
    yield event;
  }
}

const VERBATIM: CitationMarks = {
  push: (piece) => piece,
  flush: () => '',
  cited: () => [],
  citedWeb: () => [],
};

const promptSourcesOf = (contents: readonly ContentRecord[], web: Grounding): PromptSources => ({
  contentIds: contents.map(({ id }) => id),
  pages: web.results.map(webCitation),
  queries: web.queries,
  suggestion: web.suggestion,
});

/** Copies field by field, so that nothing else of a page is returned. */
const webCitation = ({ url, title }: WebResult): WebCitation => ({ url, title });

const completionOf = (
  { conversationId, userMessageId, assistantMessageId }: Turn,
  at: number,
  finished: Pick<Completion, 'choices' | 'model' | 'usage'>,
): Completion => ({
  created: Math.floor(at / 1000),
  ...finished,
  conversationId,
  userMessageId,
  assistantMessageId,
});

/** Records the failure of the answer. If that fails too, it only logs: the caller reports the original error. */
export const recordFailure = async (
  { turns, log }: CompletionDeps,
  caller: Caller,
  turn: Turn,
  code: string,
) => {
  try {
    await turns.fail(caller, turn, code);
  } catch (error) {
    log.warn('a failed answer could not be recorded', {
      conversationId: turn.conversationId,
      error: (error as Error).message,
    });
  }
};
