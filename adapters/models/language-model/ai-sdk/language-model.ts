import { Agent } from 'undici';
import {
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  ProviderError,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import {
  type ConnectedLanguageModel,
  DEFAULT_LIMITS,
  type ProviderLimits,
  createTimeBudget,
} from '../provider/connection.ts';
import {
  type Censor,
  type RetryOptions,
  interruptedError,
  createCensor,
  streamError,
  retrying,
  invalidResponseError,
} from '../provider/retrying.ts';
import { answerOf } from './answer.ts';
import {
  ANSWERS,
  type ProviderSettings,
  type SdkMessage,
  type SdkModel,
  type SdkPrompt,
  type SdkRequest,
  createProviderFetch,
  openProvider,
  reportedInStream,
} from './providers.ts';
import { readArguments } from '../provider/surrogate-joiner.ts';
import { createThoughtFilter } from '../provider/thoughts.ts';

/** The SDK's error names for responses that do not match the provider's API. */
const UNREADABLE =
  /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error$/;
const MAX_CAUSES = 10;

/**
 * Converts an error of the SDK to one of the port. SDK errors contain the URL, the request and the response, so only
 * what the SDK read from the provider is passed on, through the censor.
 */
const portErrorOf = (error: unknown, censor: Censor): ProviderError | ProviderTimeout => {
  const causes = [...causesOf(error)];
  const ours = causes.find((one) => one instanceof ProviderError || one instanceof ProviderTimeout);
  if (ours !== undefined) return ours;
  if (causes.some((one) => UNREADABLE.test(nameOf(one))))
    return invalidResponseError('what is no answer of its interface');
  const reported = reportedInStream(error);
  if (reported !== null) return streamError(reported, censor);
  // Decoders of frames and events have unnamed errors.
  if (error instanceof Error && error.message.startsWith('Incomplete Amazon Bedrock'))
    return interruptedError();
  if (nameOf(error) === 'Error') return invalidResponseError('what is no answer of its interface');
  return new ProviderError(
    `the client of the language model's provider cannot go on: ${nameOf(error) || 'unknown'}`,
    { retryable: false },
  );
};

function* causesOf(error: unknown): Generator {
  let current = error;
  for (let i = 0; i < MAX_CAUSES && current !== undefined && current !== null; i += 1) {
    yield current;
    current = (current as { readonly cause?: unknown }).cause;
  }
}

const nameOf = (error: unknown): string => {
  const name = (error as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? name : '';
};

/**
 * Converts a request for the SDK's models. Instructions apply to the whole conversation and come first, as one message,
 * because the providers refuse other forms. Providers also refuse blank messages, and a conversation that begins with
 * an answer because its oldest question was dropped: neither is sent.
 */
const callOptions = ({
  messages,
  tools = [],
  maxOutputTokens,
  temperature,
  responseSchema,
}: ModelRequest): Omit<SdkRequest, 'abortSignal'> => {
  const said = messages.filter((message) => message.content.trim() !== '' || isOfTools(message));
  const system = said.filter(({ role }) => role === 'system').map(({ content }) => content);
  const turns = said.filter(({ role }) => role !== 'system');
  const first = turns.findIndex(({ role }) => role === 'user');
  const names = new Map(
    turns.flatMap((turn) => callsOf(turn).map(({ id, name }): [string, string] => [id, name])),
  );
  const prompt = resultsTogether(turns.slice(Math.max(0, first)).map((turn) => sdkMessage(turn, names)));
  return {
    prompt: system.length === 0 ? prompt : [{ role: 'system', content: system.join('\n\n') }, ...prompt],
    includeRawChunks: true,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: parameters,
      })),
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(responseSchema !== undefined && {
      responseFormat: { type: 'json', name: 'answer', schema: responseSchema },
    }),
  };
};

const callsOf = (message: ModelMessage) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []);

const isOfTools = (message: ModelMessage): boolean => message.role === 'tool' || callsOf(message).length > 0;

/** Gemini accepts the results of parallel calls only in one message. */
const resultsTogether = (prompt: SdkPrompt): SdkPrompt => {
  const merged: SdkPrompt = [];
  for (const message of prompt) {
    const before = merged.at(-1);
    if (message.role === 'tool' && before?.role === 'tool') before.content.push(...message.content);
    else merged.push(message);
  }
  return merged;
};

/** @param names names of the tools by call id: some providers want them with the results */
const sdkMessage = (message: ModelMessage, names: ReadonlyMap<string, string>): SdkMessage => {
  const { role, content } = message;
  if (role === 'tool') {
    const { toolCallId } = message;
    const output = { type: 'text' as const, value: content };
    const toolName = names.get(toolCallId) ?? 'unknown';
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }] };
  }
  const text = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }];
  if (role !== 'assistant') return { role: 'user', content: text };
  const calls = callsOf(message).map(({ id, name, arguments: given, signature }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: readArguments(given) ?? {},
    ...(signature !== undefined && { providerOptions: JSON.parse(signature) as SignedOptions }),
  }));
  return { role, content: [...text, ...calls] };
};

type SignedOptions = NonNullable<SdkMessage['providerOptions']>;

export interface AiSdkOptions extends RetryOptions {
  readonly settings: ProviderSettings;
  /** The provider's name of the model, also shown to users. */
  readonly model: string;
  /** In tokens. Providers do not report it. */
  readonly contextWindow: number;
  readonly limits?: Partial<ProviderLimits>;
}

/** Time for what follows a finished answer: it comes immediately or never. */
const REMAINDER_MS = 200;

/**
 * A language model of Anthropic, Google or Amazon Bedrock with its native API, through the provider's package of the AI
 * SDK. Uses only the SDK's models, one request at a time: its `streamText` has its own retries, logs and traces. The
 * first request loads the package: see `checkProvider`.
 */
export const createAiSdkModel = (options: AiSdkOptions): ConnectedLanguageModel => {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const agent = new Agent({ connect: { timeout: limits.connectMs }, pipelining: 1, allowH2: false });
  const censor = createCensor(...secretsOf(options.settings));
  const answers = ANSWERS[options.settings.provider];
  const send = createProviderFetch(agent, { ...limits, answers, censor });
  const withoutThoughts = createThoughtFilter('answer');
  let opened: Promise<SdkModel> | undefined;
  const open = (): Promise<SdkModel> => (opened ??= openProvider(options.settings, options.model, send));

  const tryOnce = async function* (
    request: Omit<SdkRequest, 'abortSignal'>,
    callerSignal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const timeBudget = createTimeBudget(callerSignal, limits.totalMs);
    try {
      const model = await open();
      timeBudget.waitFor('first_token', limits.firstTokenMs);
      const { stream } = await model.doStream({ ...request, abortSignal: timeBudget.signal });
      yield* answerOf(stream, {
        maxCharacters: limits.maxCharacters,
        offersTools: request.tools !== undefined,
        errorOf: (reported) => portErrorOf(reported, censor),
        onEvent: () => timeBudget.waitFor('next_token', limits.nextTokenMs),
        onDelta: timeBudget.pause,
        onFinished: () => timeBudget.waitFor('end', REMAINDER_MS),
      });
    } catch (error) {
      timeBudget.signal.throwIfAborted();
      throw portErrorOf(error, censor);
    } finally {
      timeBudget.giveUp();
    }
  };

  return {
    name: options.model,
    contextWindow: options.contextWindow,
    structuredOutput: true,
    toolUse: true,
    stream: (request, signal) => {
      const asked = callOptions(request);
      return retrying(() => withoutThoughts(tryOnce(asked, signal)), options, signal);
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
