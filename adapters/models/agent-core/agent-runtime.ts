import {
  type AgentRuntime,
  type RuntimeCall,
  RuntimeFailed,
  type RuntimeReport,
} from '../../../application/ports/agent-runtime.ts';
import { inRequestSpan } from '../../http-client/trace-headers.ts';
import { createEventStreamReader } from '../../http-client/server-sent-events.ts';
import { type AgUiFields, createAgUiReader } from './agui-reports.ts';
import { agentFailed, brokeOff, failureOf } from './failure.ts';
import { thoughtsApart } from './thoughts-apart.ts';
import type { BedrockAgentCore, BedrockAgentCoreClientConfig } from '@aws-sdk/client-bedrock-agentcore';

export interface AgentCoreOptions {
  /** Default: the AWS endpoint of the region. */
  readonly endpoint?: string;
  /** Default: the region in the ARN. */
  readonly region?: string;
  /** The endpoint (alias) of a runtime. Default: DEFAULT. */
  readonly qualifier?: string;
  /** Default: found by the AWS SDK. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface ConnectedAgentRuntime extends AgentRuntime {
  /** Aborts all requests. */
  readonly close: () => Promise<void>;
}

/** The tested version; `package.json` has the same. */
const PACKAGE = '@aws-sdk/client-bedrock-agentcore@3.1141.0';
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const CONNECT_MS = 5_000;

/** The package is not installed. The message says what to do. */
export class AgentCorePackageMissing extends Error {
  override readonly name = 'AgentCorePackageMissing';
  constructor() {
    super(`it needs a package that is not installed: npm install --omit=dev --save-prod ${PACKAGE}`);
  }
}

/** Checks that the package is installed. Sends no request. @throws AgentCorePackageMissing */
export const checkAgentCore = async (): Promise<void> => void (await loaded());

/** Amazon Bedrock AgentCore, or a service with its API. Each request is sent once: the SDK's retries are off. */
export const createAgentCore = (options: AgentCoreOptions = {}): ConnectedAgentRuntime => {
  const clients = new Map<string, Promise<BedrockAgentCore>>();
  const clientOf = (arn: string): Promise<BedrockAgentCore> => {
    const region = options.region ?? regionIn(arn);
    const client = clients.get(region) ?? connect(options, region);
    clients.set(region, client);
    return client;
  };
  return {
    invoke: (call, signal) => invoke(options, clientOf, call, signal),
    stop: async ({ runtimeArn: agentRuntimeArn, sessionId: runtimeSessionId }, abortSignal) => {
      const asked = { agentRuntimeArn, runtimeSessionId, qualifier: options.qualifier };
      try {
        await (await clientOf(agentRuntimeArn)).stopRuntimeSession(asked, { abortSignal });
      } catch (error) {
        abortSignal.throwIfAborted();
        throw failureOf(error);
      }
    },
    close: async () =>
      void (await Promise.all([...clients.values()].map(async (client) => (await client).destroy()))),
  };
};

async function* invoke(
  { qualifier }: AgentCoreOptions,
  clientOf: (arn: string) => Promise<BedrockAgentCore>,
  { runtimeArn, sessionId, payload, mcpSessionId }: RuntimeCall,
  abortSignal: AbortSignal,
): AsyncGenerator<RuntimeReport> {
  const asked = {
    agentRuntimeArn: runtimeArn,
    runtimeSessionId: sessionId,
    contentType: 'application/json',
    accept: 'text/event-stream, application/json, text/plain',
    payload: Buffer.from(payload),
    qualifier,
    ...(mcpSessionId !== null && { mcpSessionId }),
  };
  let begun = false;
  try {
    abortSignal.throwIfAborted();
    const client = await clientOf(runtimeArn);
    const answer = await inRequestSpan((sent) => {
      const traced = { ...asked, traceParent: sent.traceparent, traceState: sent.tracestate };
      return client.invokeAgentRuntime(traced, { abortSignal });
    });
    begun = true;
    yield* thoughtsApart(readAnswer(answer.contentType ?? '', answer.response as unknown as Bytes));
  } catch (error) {
    abortSignal.throwIfAborted();
    if (begun && !(error instanceof RuntimeFailed)) throw brokeOff();
    throw failureOf(error);
  }
}

const connect = async (
  { endpoint, credentials }: AgentCoreOptions,
  region: string,
): Promise<BedrockAgentCore> => {
  const config: BedrockAgentCoreClientConfig = {
    maxAttempts: 1,
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: 0, socketTimeout: 0 },
    region,
    // Otherwise the SDK would use AWS_ENDPOINT_URL, which may be that of a file store.
    endpoint:
      endpoint ?? `https://bedrock-agentcore.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    ...(credentials !== undefined && { credentials }),
  };
  return new (await loaded()).BedrockAgentCore(config);
};

const regionIn = (arn: string): string => {
  const region = arn.split(':')[3] ?? '';
  if (/^[a-z0-9-]{1,50}$/.test(region)) return region;
  throw failureOf(new Error('Region is missing'));
};

const loaded = async () => {
  try {
    return await import('@aws-sdk/client-bedrock-agentcore');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new AgentCorePackageMissing();
  }
};

type Bytes = AsyncIterable<Uint8Array>;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_EVENT_CHARACTERS = 2 * 1024 * 1024;
const ALIVE: RuntimeReport = { kind: 'alive' };

/**
 * Parses the response of a runtime by its media type: server-sent events, JSON, or else a text. A piece is a report.
 *
 * @throws RuntimeFailed; what `bytes` throws
 */
const readAnswer = (contentType: string, bytes: Bytes): AsyncIterable<RuntimeReport> => {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const bounded = boundedBytes(bytes);
  if (type === 'text/event-stream') return readEvents(bounded);
  return type === 'application/json' ? readJson(bounded) : readText(bounded);
};

async function* boundedBytes(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of bytes) {
    read += piece.length;
    if (read > MAX_BYTES)
      throw new RuntimeFailed('answer_too_long', 'the runtime said more than is read', { mayStillRun: true });
    yield piece;
  }
}

async function* readEvents(bytes: Bytes): AsyncGenerator<RuntimeReport> {
  const events = createEventStreamReader(MAX_EVENT_CHARACTERS);
  const agUi = createAgUiReader();
  const reportsOf = (data: readonly string[]) => data.flatMap((one) => eventReports(one, agUi.push));
  for await (const piece of bytes) {
    yield ALIVE;
    yield* reportsOf(events.push(piece));
  }
  yield* reportsOf(events.end());
  if (agUi.isOpen()) throw brokeOff();
}

/**
 * Parses one event: of the agent-UI protocol; a piece of text, bare or in an object; or the report that the agent has
 * failed.
 */
const eventReports = (
  data: string,
  agUi: (event: AgUiFields) => readonly RuntimeReport[],
): readonly RuntimeReport[] => {
  const value = parsed(data);
  if (value === undefined) return [{ kind: 'text', delta: data }];
  if (typeof value === 'string') return value === '' ? [ALIVE] : [{ kind: 'text', delta: value }];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [ALIVE];
  const fields = value as AgUiFields;
  if (typeof fields['type'] === 'string' && /^[A-Z_]+$/.test(fields['type'])) return agUi(fields);
  mustNotHaveFailed(fields);
  const delta = ['text', 'delta', 'data'].map((name) => fields[name]).find((one) => typeof one === 'string');
  if (delta !== undefined && delta !== '') return [{ kind: 'text', delta }];
  const output = fields['result'] ?? fields['output'] ?? null;
  return output === null ? [ALIVE] : [{ kind: 'output', output }];
};

async function* readText(bytes: Bytes): AsyncGenerator<RuntimeReport> {
  const decoder = new TextDecoder();
  for await (const piece of bytes) {
    const delta = decoder.decode(piece, { stream: true });
    yield delta === '' ? ALIVE : { kind: 'text', delta };
  }
  const delta = decoder.decode();
  if (delta !== '') yield { kind: 'text', delta };
}

async function* readJson(bytes: Bytes): AsyncGenerator<RuntimeReport> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) {
    pieces.push(piece);
    yield ALIVE;
  }
  const body = Buffer.concat(pieces).toString();
  const value = parsed(body);
  if (value === undefined) throw agentFailed('what it calls JSON is none');
  if (typeof value === 'object' && value !== null) {
    mustNotHaveFailed(value as AgUiFields);
    yield { kind: 'output', output: value };
  }
  const delta = textOf(value, 0) ?? body;
  if (delta !== '') yield { kind: 'text', delta };
}

const mustNotHaveFailed = ({ error, message }: AgUiFields): void => {
  if (error === undefined || error === null || error === false) return;
  throw agentFailed(textOf(error, 0) ?? textOf(message, 0) ?? 'it does not say why');
};

/** The fields in which agents put their text; the first present one counts. */
const TEXT_FIELDS = ['response', 'result', 'output', 'answer', 'message', 'content', 'text'] as const;
const DEEPEST = 5;

/** The readable text of a JSON response; null when there is none. */
const textOf = (value: unknown, depth: number): string | null => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  if (Array.isArray(value)) {
    const texts = value.map((one) => textOf(one, depth + 1)).filter((one) => one !== null);
    return texts.length === 0 ? null : texts.join('\n');
  }
  const fields = value as AgUiFields;
  return TEXT_FIELDS.map((name) => textOf(fields[name], depth + 1)).find((found) => found !== null) ?? null;
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
};
