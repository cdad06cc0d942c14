import type { BedrockAgentCore, BedrockAgentCoreClientConfig } from '@aws-sdk/client-bedrock-agentcore';
import {
  type AgentRuntime,
  type RuntimeCall,
  RuntimeFailed,
  type RuntimeReport,
} from '../../../application/ports/agent-runtime.ts';
import { brokeOff, failureOf } from './failure.ts';
import { readAnswer } from './read-answer.ts';

export interface AgentCoreOptions {
  /** Default: that of AWS in the region. */
  readonly endpoint?: string;
  /** Default: that which the ARN names. */
  readonly region?: string;
  /** The endpoint of a runtime, an alias. Default: DEFAULT. */
  readonly qualifier?: string;
  /** Default: as the AWS SDK finds them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface ConnectedAgentRuntime extends AgentRuntime {
  /** Ends all requests. */
  readonly close: () => Promise<void>;
}

/** The version that is tested; `package.json` has the same. */
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

/** Whether the package is there. Nothing is asked of anybody. @throws AgentCorePackageMissing */
export const checkAgentCore = async (): Promise<void> => void (await loaded());

/** Amazon Bedrock AgentCore, or what speaks its interface. A request is sent once: the SDK repeats none. */
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
    close: async () => {
      for (const client of clients.values()) (await client).destroy();
    },
  };
};

async function* invoke(
  { qualifier }: AgentCoreOptions,
  clientOf: (arn: string) => Promise<BedrockAgentCore>,
  { runtimeArn, sessionId, payload, mcpSessionId, traceparent }: RuntimeCall,
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
    ...(traceparent !== null && { traceParent: traceparent }),
  };
  let begun = false;
  try {
    abortSignal.throwIfAborted();
    const answer = await (await clientOf(runtimeArn)).invokeAgentRuntime(asked, { abortSignal });
    begun = true;
    yield* readAnswer(answer.contentType ?? '', answer.response as unknown as AsyncIterable<Uint8Array>);
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
    // Else the SDK would take AWS_ENDPOINT_URL, which may be that of a file store.
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
