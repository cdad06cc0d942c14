import { Agent } from 'undici';
import {
  type ModelEvent,
  type ModelRequest,
  ProviderError,
} from '../../../../application/ports/language-model.ts';
import type { ConnectedLanguageModel } from '../provider/connected-language-model.ts';
import { createCensor } from '../provider/failure.ts';
import { DEFAULT_LIMITS } from '../provider/limits.ts';
import { createPatience } from '../provider/patience.ts';
import { retrying } from '../provider/retrying.ts';
import type { RetryOptions } from '../provider/retrying.ts';
import { answerOf } from './answer.ts';
import { exchange } from './exchange.ts';
import type { ExchangeLimits } from './exchange.ts';
import { authorization, completionsUrl } from './provider-address.ts';
import { requestBody } from './request-body.ts';
import type { OutputLimitName } from './request-body.ts';

export interface OpenAiCompatibleOptions extends RetryOptions {
  /** `/chat/completions` lies below, for example `https://api.openai.com/v1`. No credentials in it. */
  readonly baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  readonly apiKey?: string;
  /** As the provider calls it, and as users see it. */
  readonly model: string;
  /** Tokens. Providers do not tell. */
  readonly contextWindow: number;
  /** Default: `max_completion_tokens` for OpenAI's own hosts, else `max_tokens`. */
  readonly outputLimitName?: OutputLimitName;
  readonly limits?: Partial<ExchangeLimits & { readonly maxCharacters: number }>;
}

const MOST_EVENT_CHARACTERS = 1024 * 1024;
/** For what follows a finished answer: it comes at once, or never. */
const OWED_MS = { usage: 2_000, nothing: 200 };

/**
 * A language model behind OpenAI's Chat Completions interface, as OpenAI, Azure, vLLM, llama.cpp, Ollama, OpenRouter
 * and others serve it. Redirects are not followed: they would take the key along.
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
  const limits = { ...DEFAULT_LIMITS, maxEventCharacters: MOST_EVENT_CHARACTERS, ...options.limits };
  const agent = new Agent({ connect: { timeout: limits.connectMs }, pipelining: 1, allowH2: false });
  const censor = createCensor(options.apiKey);
  const { model } = options;
  const limitName = options.outputLimitName ?? outputLimitNameOf(url);
  let asksUsage = true;

  const tryOnce = async function* (
    request: ModelRequest,
    caller: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const body = requestBody({ model, limitName, asksUsage }, request);
    const patience = createPatience(caller, limits.totalMs);
    try {
      const events = exchange(agent, { url, headers, body }, limits, patience, censor);
      yield* answerOf(events, {
        maxCharacters: limits.maxCharacters,
        offersTools: (request.tools?.length ?? 0) > 0,
        censor,
        onFinished: (owed) => patience.hurry(OWED_MS[owed]),
      });
      return;
    } catch (error) {
      if (!asksUsage || !refusesUsage(error)) throw error;
      asksUsage = false;
    } finally {
      patience.giveUp();
    }
    yield* tryOnce(request, caller);
  };

  return {
    name: model,
    contextWindow: options.contextWindow,
    structuredOutput: true,
    toolUse: true,
    stream: (request, signal) => retrying(() => tryOnce(request, signal), options, signal),
    close: () => agent.destroy(),
  };
};

/** Of a server that does not know the field: from then on its answers come without a count. */
const refusesUsage = (error: unknown): boolean =>
  error instanceof ProviderError &&
  (error.status === 400 || error.status === 422) &&
  /stream_options|include_usage/.test(error.detail ?? '');

const outputLimitNameOf = ({ hostname }: URL): OutputLimitName =>
  /(^|\.)openai\.(azure\.)?com$/.test(hostname) ? 'max_completion_tokens' : 'max_tokens';
