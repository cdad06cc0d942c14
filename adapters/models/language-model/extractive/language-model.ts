import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
} from '../../../../application/ports/language-model.ts';
import { answerPieces, closestPassages } from '../../../../domain/answer/closest-passages.ts';
import type { CountTokens } from '../../../../domain/chunking/chunk.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';

/** Larger than any request: nothing here depends on it. */
const CONTEXT_WINDOW = 128_000;
/** The rest of a longer question is not read: each word is compared with each sentence, in the thread that serves requests. */
const MAX_QUESTION = 4_000;

/**
 * The language model of a service without a provider: it answers with the closest passages, cut around their best
 * sentences, each with its citation. Where no passage can hold anything of the question, it says that there is no answer
 * and names the nearest pages. It reads only the first 4,000 characters of the question (else of the last user message),
 * and the passages; it ignores the temperature. It stops between passages at `maxOutputTokens`, by an estimate, and
 * within the first one, and therefore reports no usage.
 */
export const createExtractiveModel = (countTokens: CountTokens): LanguageModel => ({
  name: 'extractive',
  contextWindow: CONTEXT_WINDOW,
  structuredOutput: false,
  toolUse: false,
  stream: async function* (request, signal): AsyncGenerator<ModelEvent, void, undefined> {
    signal.throwIfAborted();
    if (request.responseSchema !== undefined) {
      throw new DomainError('not_configured', 'structured answers need the provider of a language model');
    }
    if ((request.tools?.length ?? 0) > 0)
      throw new DomainError('not_configured', 'tools need the provider of a language model');
    let outputTokens = 0;
    let isCut = false;
    for (const text of piecesFor(request)) {
      const tokens = countTokens(text);
      const limit = request.maxOutputTokens ?? Infinity;
      isCut = outputTokens + tokens > limit;
      if (isCut) {
        if (outputTokens === 0) yield { kind: 'delta', text: beginningOf(text, limit, countTokens) };
        break;
      }
      outputTokens += tokens;
      yield { kind: 'delta', text };
      signal.throwIfAborted();
    }
    yield { kind: 'finish', reason: isCut ? 'length' : 'stop', usage: null };
  },
});

/** As many words as the limit allows, and one at least: an answer that says nothing is none. */
const beginningOf = (text: string, limit: number, countTokens: CountTokens): string => {
  const ends = Array.from(text.matchAll(/\S+/g), ({ index, 0: word }) => index + word.length);
  const over = ends.findIndex((end) => countTokens(text.slice(0, end)) > limit);
  return text.slice(0, ends[Math.max(0, over - 1)]);
};

const piecesFor = (request: ModelRequest): readonly string[] => {
  const { passages = [], rarities = [], cite = true } = request;
  return answerPieces(closestPassages(questionOf(request), passages, rarities), passages, cite);
};

const questionOf = ({ question, messages }: ModelRequest): string =>
  (question ?? messages.findLast(({ role }) => role === 'user')?.content ?? '').slice(0, MAX_QUESTION);
