import { Agent, type Dispatcher } from 'undici';
import {
  type ModelEvent,
  type ModelRequest,
  ProviderError,
  type FinishReason,
  type ModelUsage,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import {
  type ConnectedLanguageModel,
  DEFAULT_LIMITS,
  MAX_ERROR_BYTES,
  type TimeBudget,
  type Post,
  type ProviderLimits,
  createTimeBudget,
  headerOf,
  mediaType,
  post,
  textOf,
} from '../provider/connection.ts';
import {
  type Censor,
  type RetryOptions,
  interruptedError,
  createCensor,
  connectionError,
  streamError,
  refusalError,
  retrying,
  invalidResponseError,
} from '../provider/retrying.ts';
import { type OutputLimitName, authorization, completionsUrl, requestBody } from './request-body.ts';
import { createPieces } from '../provider/surrogate-joiner.ts';
import { type Beginning, createThoughtFilter } from '../provider/thoughts.ts';
import { readChunk, reportedError } from './completion-chunk.ts';
import { createToolCallReader } from './tool-calls.ts';
import { serverDelay } from '../../../http-client/retry.ts';
import { createEventStreamReader, EventTooLong } from '../../../http-client/server-sent-events.ts';

interface ExchangeLimits extends Pick<
  ProviderLimits,
  'connectMs' | 'firstTokenMs' | 'nextTokenMs' | 'totalMs' | 'maxBytes'
> {
  /** Limit of one event. */
  readonly maxEventCharacters: number;
}

/**
 * Sends one POST and yields the data of each event. A JSON response, from a server that does not stream, is one event.
 * The timer of `timeBudget` runs only while waiting for the provider. Throws what the port may throw, or the reason of
 * `timeBudget.signal`. Every exit discards the rest of the body.
 */
async function* exchange(
  dispatcher: Dispatcher,
  request: Post,
  limits: ExchangeLimits,
  timeBudget: TimeBudget,
  censor: Censor,
): AsyncGenerator<string, void, undefined> {
  try {
    timeBudget.waitFor('first_token', limits.firstTokenMs);
    const answer = await post(dispatcher, request, timeBudget.signal);
    const header = headerOf(answer);
    if (answer.statusCode !== 200) {
      const text = await textOf(answer.body, MAX_ERROR_BYTES).catch(() => '');
      timeBudget.signal.throwIfAborted();
      throw refusalError(answer.statusCode, reportedError(text), serverDelay(header, Date.now()), censor);
    }
    const type = mediaType(header('content-type'));
    if (type === 'application/json') {
      const whole = await textOf(answer.body, limits.maxEventCharacters);
      timeBudget.pause();
      yield whole;
    } else if (type.startsWith('text/html')) throw invalidResponseError('a web page in place of an answer');
    else yield* eventsOf(answer.body, limits, timeBudget);
  } catch (error) {
    timeBudget.signal.throwIfAborted();
    if (error instanceof ProviderError || error instanceof ProviderTimeout) throw error;
    if (error instanceof EventTooLong) throw invalidResponseError(error.message);
    throw connectionError(error, limits.connectMs);
  }
}

async function* eventsOf(
  body: AsyncIterable<Uint8Array>,
  limits: ExchangeLimits,
  timeBudget: TimeBudget,
): AsyncGenerator<string, void, undefined> {
  const reader = createEventStreamReader(limits.maxEventCharacters);
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > limits.maxBytes) throw invalidResponseError(`an answer of over ${limits.maxBytes} bytes`);
    for (const data of reader.push(piece)) {
      timeBudget.pause();
      yield data;
      timeBudget.waitFor('next_token', limits.nextTokenMs);
    }
  }
  yield* reader.end();
}

const DONE = '[DONE]';

interface AnswerOptions {
  /** Limit of text, reasoning and arguments, in UTF-16 units. */
  readonly maxCharacters: number;
  /** Whether the request offered tools; if not, tool calls of the model are dropped. */
  readonly offersTools: boolean;
  readonly censor: Censor;
  /** Called when only the usage may still come, and when nothing more is expected. */
  readonly onFinished: (remainder: 'usage' | 'nothing') => void;
}

/**
 * Converts the data of a stream to the port's events. An answer is complete with a finish reason or with `[DONE]`: a
 * stream that ends without either was interrupted. After completion, errors no longer matter; only the usage, which
 * follows the finish reason, may then be unknown. Throws {@link ProviderError}, and what `events` throws before the
 * answer is complete.
 */
async function* answerOf(
  events: AsyncIterable<string>,
  { maxCharacters, offersTools, censor, onFinished }: AnswerOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  let reason: FinishReason | null = null;
  let usage: ModelUsage | null = null;
  let refused = false;
  let characters = 0;
  const pieces = createPieces();
  const tools = createToolCallReader();
  try {
    for await (const data of events) {
      if (data.trim() === DONE) {
        reason ??= 'stop';
        onFinished('nothing');
        continue; // read to the end, so that the connection can be reused
      }
      const chunk = readChunk(data);
      if (chunk.kind === 'garbage') throw invalidResponseError('something that is no chat completion');
      if (chunk.kind === 'error') throw streamError(chunk.error, censor);
      characters += chunk.text.length + chunk.reasoning.length;
      for (const piece of chunk.toolCalls) characters += piece.name.length + piece.arguments.length;
      if (characters > maxCharacters)
        throw invalidResponseError(`an answer of over ${maxCharacters} characters`);
      yield* pieces.add('reasoning', chunk.reasoning);
      yield* pieces.add('delta', chunk.text);
      if (offersTools) tools.push(chunk.toolCalls);
      refused ||= chunk.isRefusal;
      usage = chunk.usage ?? usage;
      if (chunk.finish !== null && reason === null) onFinished('usage');
      reason ??= chunk.finish;
    }
  } catch (error) {
    if (reason === null) throw error;
  }
  if (reason === null) throw interruptedError();
  yield* pieces.end();
  for (const call of tools.calls()) yield { kind: 'tool_call', ...call };
  yield { kind: 'finish', reason: refused ? 'content_filter' : reason, usage };
}

export interface OpenAiCompatibleOptions extends RetryOptions {
  /** Parent URL of `/chat/completions`, for example `https://api.openai.com/v1`. Without credentials. */
  readonly baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  readonly apiKey?: string;
  /** The provider's name of the model, also shown to users. */
  readonly model: string;
  /** In tokens. Providers do not report it. */
  readonly contextWindow: number;
  /** Default: `max_completion_tokens` for OpenAI's own hosts, else `max_tokens`. */
  readonly outputLimitName?: OutputLimitName;
  readonly limits?: Partial<ExchangeLimits & { readonly maxCharacters: number }>;
  /** How answers begin, if known before the first one. */
  readonly beginning?: Beginning;
}

/** Time for what follows a finished answer: it comes immediately or never. */
const REMAINDER_MS = { usage: 2_000, nothing: 200 };

/**
 * A language model with OpenAI's Chat Completions API, as served by OpenAI, Azure, vLLM, llama.cpp, Ollama, OpenRouter
 * and others. Does not follow redirects, because they would take the key along.
 *
 * @throws {InvalidProviderSettings}
 */
export const createOpenAiCompatibleModel = (options: OpenAiCompatibleOptions): ConnectedLanguageModel => {
  const url = completionsUrl(options.baseUrl);
  const headers = {
    ...authorization(options.apiKey),
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'knowledger',
  };
  const limits = { ...DEFAULT_LIMITS, maxEventCharacters: 1024 * 1024, ...options.limits };
  const agent = new Agent({ connect: { timeout: limits.connectMs }, pipelining: 1, allowH2: false });
  const censor = createCensor(options.apiKey);
  const { model } = options;
  const limitName = options.outputLimitName ?? outputLimitNameOf(url);
  const withoutThoughts = createThoughtFilter(options.beginning);
  let asksUsage = true;

  const tryOnce = async function* (
    request: ModelRequest,
    callerSignal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const body = requestBody({ model, limitName, asksUsage }, request);
    const timeBudget = createTimeBudget(callerSignal, limits.totalMs);
    try {
      const events = exchange(agent, { url, headers, body }, limits, timeBudget, censor);
      yield* answerOf(events, {
        maxCharacters: limits.maxCharacters,
        offersTools: (request.tools?.length ?? 0) > 0,
        censor,
        onFinished: (remainder) => timeBudget.shorten(REMAINDER_MS[remainder]),
      });
      return;
    } catch (error) {
      if (!asksUsage || !refusesUsage(error)) throw error;
      asksUsage = false;
    } finally {
      timeBudget.giveUp();
    }
    yield* tryOnce(request, callerSignal);
  };

  return {
    name: model,
    contextWindow: options.contextWindow,
    structuredOutput: true,
    toolUse: true,
    stream: (request, signal) => retrying(() => withoutThoughts(tryOnce(request, signal)), options, signal),
    close: () => agent.destroy(),
  };
};

/** Whether the server does not know the usage field: from then on requests omit it, and answers have no usage. */
const refusesUsage = (error: unknown): boolean =>
  error instanceof ProviderError &&
  (error.status === 400 || error.status === 422) &&
  /stream_options|include_usage/.test(error.detail ?? '');

const outputLimitNameOf = ({ hostname }: URL): OutputLimitName =>
  /(^|\.)openai\.(azure\.)?com$/.test(hostname) ? 'max_completion_tokens' : 'max_tokens';
