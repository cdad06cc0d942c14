import { Agent } from 'undici';
import type { ModelEvent } from '../../../../application/ports/language-model.ts';
import type { ConnectedLanguageModel } from '../provider/connected-language-model.ts';
import { createCensor } from '../provider/failure.ts';
import { DEFAULT_LIMITS } from '../provider/limits.ts';
import type { ProviderLimits } from '../provider/limits.ts';
import { createPatience } from '../provider/patience.ts';
import { retrying } from '../provider/retrying.ts';
import type { RetryOptions } from '../provider/retrying.ts';
import { answerOf } from './answer.ts';
import { callOptions } from './call-options.ts';
import { portErrorOf } from './failure.ts';
import { createProviderFetch } from './provider-fetch.ts';
import { ANSWERS, openProvider } from './providers.ts';
import type { ProviderSettings } from './providers.ts';
import type { SdkModel, SdkRequest } from './sdk-model.ts';

export interface AiSdkOptions extends RetryOptions {
  readonly settings: ProviderSettings;
  /** As the provider calls it, and as users see it. */
  readonly model: string;
  /** Tokens. Providers do not tell. */
  readonly contextWindow: number;
  readonly limits?: Partial<ProviderLimits>;
}

/** For what follows a finished answer: it comes at once, or never. */
const OWED_MS = 200;

/**
 * A language model of Anthropic, Google or Amazon Bedrock, in the interface of its own, by the provider's package of
 * the AI SDK. Of the SDK only the models are used, one request at a time: its `streamText` would try again, log and
 * trace by rules of its own. The package is loaded with the first request: see `checkProvider`.
 */
export const createAiSdkModel = (options: AiSdkOptions): ConnectedLanguageModel => {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const agent = new Agent({ connect: { timeout: limits.connectMs }, pipelining: 1, allowH2: false });
  const censor = createCensor(...secretsOf(options.settings));
  const answers = ANSWERS[options.settings.provider];
  const send = createProviderFetch(agent, { ...limits, answers, censor });
  let opened: Promise<SdkModel> | undefined;
  const open = (): Promise<SdkModel> => (opened ??= openProvider(options.settings, options.model, send));

  const tryOnce = async function* (
    request: Omit<SdkRequest, 'abortSignal'>,
    caller: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const patience = createPatience(caller, limits.totalMs);
    try {
      const model = await open();
      patience.waitFor('first_token', limits.firstTokenMs);
      const { stream } = await model.doStream({ ...request, abortSignal: patience.signal });
      yield* answerOf(stream, {
        maxCharacters: limits.maxCharacters,
        offersTools: request.tools !== undefined,
        errorOf: (reported) => portErrorOf(reported, censor),
        onEvent: () => patience.waitFor('next_token', limits.nextTokenMs),
        onDelta: patience.rest,
        onFinished: () => patience.waitFor('end', OWED_MS),
      });
    } catch (error) {
      patience.signal.throwIfAborted();
      throw portErrorOf(error, censor);
    } finally {
      patience.giveUp();
    }
  };

  return {
    name: options.model,
    contextWindow: options.contextWindow,
    structuredOutput: true,
    toolUse: true,
    stream: (request, signal) => {
      const asked = callOptions(request);
      return retrying(() => tryOnce(asked, signal), options, signal);
    },
    close: () => agent.destroy(),
  };
};

const secretsOf = (settings: ProviderSettings): readonly (string | undefined)[] => {
  if (settings.provider !== 'bedrock') return [settings.apiKey];
  const { credentials } = settings;
  if ('apiKey' in credentials) return [credentials.apiKey];
  return [credentials.accessKeyId, credentials.secretAccessKey, credentials.sessionToken];
};
