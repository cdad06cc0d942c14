import { ProviderError } from '../../../../application/ports/language-model.ts';
import { serverDelay } from '../../../http-client/retry.ts';
import {
  type Censor,
  type ReportedError,
  connectionError,
  refusalError,
  invalidResponseError,
} from '../provider/retrying.ts';
import {
  MAX_ERROR_BYTES,
  type ProviderLimits,
  headerOf,
  mediaType,
  post,
  textOf,
} from '../provider/connection.ts';
import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type { Dispatcher } from 'undici';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export type ProviderSettings =
  | { readonly provider: 'anthropic' | 'google'; readonly apiKey: string; readonly baseUrl?: string }
  | {
      readonly provider: 'bedrock';
      readonly region: string;
      /** A Bedrock API key, or credentials for signing requests. */
      readonly credentials: { readonly apiKey: string } | AwsCredentials;
      readonly baseUrl?: string;
    };

export type ProviderName = ProviderSettings['provider'];

/** The tested versions; `package.json` has the same. */
const PROVIDER_PACKAGES: { readonly [Name in ProviderName]: string } = {
  anthropic: '@ai-sdk/anthropic@4.0.105',
  google: '@ai-sdk/google@4.0.121',
  bedrock: '@ai-sdk/amazon-bedrock@5.0.101',
};

/** Media types of their responses. */
export const ANSWERS: { readonly [Name in ProviderName]: string } = {
  anthropic: 'text/event-stream',
  google: 'text/event-stream',
  bedrock: 'application/vnd.amazon.eventstream',
};

/** The package of a provider is not installed, or has an incompatible version. The message says what to do. */
export class ProviderPackageMissing extends Error {
  override readonly name = 'ProviderPackageMissing';
  constructor(provider: ProviderName) {
    super(
      `it needs a package that is not installed: npm install --omit=dev --save-prod ${PROVIDER_PACKAGES[provider]}`,
    );
  }
}

/**
 * Loads the package of one provider, and no other. Passes every setting explicitly: the package reads missing ones from
 * environment variables that are meant for others, such as AWS_ENDPOINT_URL, which may be that of a file store.
 *
 * @throws {ProviderPackageMissing}
 */
export const openProvider = async (
  settings: ProviderSettings,
  model: string,
  send: typeof fetch,
): Promise<SdkModel> => {
  try {
    const opened = await open(settings, model, send);
    if (opened.specificationVersion === 'v4') return opened;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  throw new ProviderPackageMissing(settings.provider);
};

/** Checks that the provider's package is installed. Sends no request. @throws {ProviderPackageMissing} */
export const checkProvider = async (settings: ProviderSettings): Promise<void> => {
  await openProvider(settings, 'any', fetch);
};

const open = async (settings: ProviderSettings, model: string, send: typeof fetch): Promise<SdkModel> => {
  switch (settings.provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const { apiKey, baseUrl: baseURL = 'https://api.anthropic.com/v1' } = settings;
      return createAnthropic({ apiKey, baseURL, fetch: send })(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      const { apiKey, baseUrl: baseURL = 'https://generativelanguage.googleapis.com/v1beta' } = settings;
      return createGoogle({ apiKey, baseURL, fetch: send })(model);
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const { region, credentials, baseUrl: baseURL = bedrockUrl(region) } = settings;
      return createAmazonBedrock({ ...credentials, region, baseURL, fetch: send })(model);
    }
  }
};

const bedrockUrl = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** A model of the AI SDK, as each of its packages creates it: one request, one answer, no loop. */
type AnyModel = ReturnType<AnthropicProvider['languageModel']>;

/** The parts that are used. */
export interface SdkModel extends Pick<AnyModel, 'doStream'> {
  readonly specificationVersion: string;
}

export type SdkRequest = Parameters<AnyModel['doStream']>[0];
export type SdkPrompt = SdkRequest['prompt'];
export type SdkMessage = SdkPrompt[number];

type Stream = Awaited<ReturnType<AnyModel['doStream']>>['stream'];
/** `raw`: an event of the provider before the SDK converts it. */
export type SdkPart = Stream extends ReadableStream<infer Part> ? Part : never;
/** In `finishReason`, `raw` is the provider's own reason; undefined when the stream ended without one. */
export type SdkFinish = Extract<SdkPart, { type: 'finish' }>;
export type SdkToolCall = Extract<SdkPart, { type: 'tool-call' }>;

export interface FetchOptions extends Pick<ProviderLimits, 'connectMs' | 'maxBytes'> {
  /**
   * Media type of the responses. The SDK does not check it, and treats an unreadable response as an interrupted one.
   */
  readonly answers: string;
  readonly censor: Censor;
}

/**
 * A replacement of the global `fetch` for the SDK's packages: uses our own connections, which an abort closes, without
 * redirects and compression. It resolves only for status 200: refusals and connection errors are thrown as the port's
 * errors, before the SDK can wrap them.
 */
export const createProviderFetch =
  (dispatcher: Dispatcher, { answers, censor, ...limits }: FetchOptions): typeof fetch =>
  async (input, init) => {
    const { signal = null, body } = init ?? {};
    if (typeof body !== 'string')
      throw new TypeError('the package of the provider sends a body that is no text');
    try {
      const url = new URL(input instanceof Request ? input.url : input);
      const headers = Object.fromEntries(new Headers(init?.headers));
      const answer = await post(dispatcher, { url, headers, body }, signal);
      const header = headerOf(answer);
      if (answer.statusCode !== 200) {
        const text = await textOf(answer.body, MAX_ERROR_BYTES).catch(() => '');
        const waitMs = serverDelay(header, Date.now()) || askedInBody(text);
        throw refusalError(answer.statusCode, reportedBy(header, text), waitMs, censor);
      }
      const type = mediaType(header('content-type'));
      if (type === 'text/html') throw invalidResponseError('a web page in place of an answer');
      if (type !== answers) throw invalidResponseError('an answer that is no stream of events');
      const stream = ReadableStream.from(metered(answer.body, limits));
      return new Response(stream);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ProviderError ? error : connectionError(error, limits.connectMs);
    }
  };

async function* metered(
  body: AsyncIterable<Uint8Array>,
  { connectMs, maxBytes }: Pick<ProviderLimits, 'connectMs' | 'maxBytes'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > maxBytes) throw invalidResponseError(`an answer of over ${maxBytes} bytes`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof ProviderError ? error : connectionError(error, connectMs);
  }
}

type Fields = Readonly<Record<string, unknown>>;
type HeaderOf = (name: string) => string | null;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * The error in a response, for any of the providers: `{error: {type, message}}` (Anthropic), `{error: {status, message,
 * details}}` (Google), `{message}` with the code in a header (Bedrock).
 */
const reportedBy = (header: HeaderOf, body: string): ReportedError => {
  const answer = parsed(body);
  const error = fieldsOf(answer['error']);
  const detail = detailsOf(error).find(({ reason }) => wordOf(reason) !== null);
  // `ThrottlingException:http://internal.amazon.com/…`
  const amazon = header('x-amzn-errortype')?.split(':', 1)[0];
  return {
    code: wordOf(detail?.['reason']) ?? wordOf(error['type']) ?? wordOf(error['status']) ?? wordOf(amazon),
    message: wordOf(error['message']) ?? wordOf(answer['message']) ?? wordOf(answer['Message']),
  };
};

/** Delay in milliseconds that a body asks for, as Google's does instead of a header; 0 without one. */
const askedInBody = (body: string): number => {
  for (const { retryDelay } of detailsOf(fieldsOf(parsed(body)['error']))) {
    const seconds = /^(\d{1,9}(?:\.\d+)?)s$/.exec(wordOf(retryDelay) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return 0;
};

/** The error of a stream part, as the SDK's packages describe it. */
export const reportedInStream = (value: unknown): ReportedError | null => {
  const { type, code, message, statusCode, responseBody } = fieldsOf(value);
  // The SDK uses 424 for an error that Bedrock marks as retryable.
  const isStatus = typeof statusCode === 'number' && statusCode !== 200 && statusCode !== 424;
  const status = isStatus ? statusCode : undefined;
  const inBody = typeof responseBody === 'string' ? parsed(responseBody)['type'] : null;
  const word = wordOf(type) ?? wordOf(inBody) ?? wordOf(code);
  if (status === undefined && word === null) return null;
  return { code: word, message: wordOf(message), ...(status !== undefined && { status }) };
};

const detailsOf = ({ details }: Fields): readonly Fields[] =>
  Array.isArray(details) ? details.map(fieldsOf) : [];

const parsed = (json: string): Fields => {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return {};
  }
};
