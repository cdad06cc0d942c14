import { setTimeout as wait } from 'node:timers/promises';
import { Client, type ClientOptions, errors } from '@opensearch-project/opensearch';
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws-v3';
import { SearchEngineUnavailable } from '../../application/ports/search-engine.ts';
import {
  connectionFault,
  isTransientStatus,
  type RetryPolicy,
  retryDelay,
  serverDelay,
} from '../http-client/retry.ts';
import type { OpenSearchAddress } from './address.ts';
import { createNodes } from './nodes.ts';

export interface ConnectionOptions {
  readonly address: OpenSearchAddress;
  /**
   * Where somebody waits for the answer. Default: 3 attempts within some two seconds, of 10 s each, with another node
   * after each second.
   */
  readonly forCallers?: Patience;
  /** Where nobody does. Default: 8 attempts within half a minute, of 60 s each. */
  readonly forWriters?: Patience;
  readonly sleep?: (ms: number) => Promise<unknown>;
}
export interface Patience extends RetryPolicy {
  /** Timeout of one attempt. */
  readonly timeoutMs: number;
  /** When another node is asked too, and after as long again the next. Default: never. */
  readonly anotherAfterMs?: number;
}

export interface OpenSearchRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** An array is sent as lines of JSON. */
  readonly body?: object | readonly object[];
  /** Whether nobody waits for the answer. Default: somebody does. */
  readonly isPatient?: boolean;
  /** Statuses that are answers too, beside 2xx. */
  readonly takes?: readonly number[];
}
export interface OpenSearchAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** One cluster. Every request may be repeated, so it must be idempotent. */
export interface OpenSearch {
  /**
   * Retries what may pass (429, 5xx, the connection) with growing delays, never sooner than the cluster asks for.
   *
   * @throws SearchEngineUnavailable when that did not help, the cluster does not accept the credentials, or has no such
   * index
   * @throws OpenSearchRefusal for any other refusal
   */
  readonly ask: <Body>(request: OpenSearchRequest) => Promise<OpenSearchAnswer<Body>>;
  /** The delay before writes are sent again that the cluster had no room for; null when it was asked often enough. */
  readonly backOff: (attempt: number) => number | null;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The cluster says that a request is wrong. The message has its status and the type of the error, no words. */
export class OpenSearchRefusal extends Error {
  override readonly name = 'OpenSearchRefusal';
}

const CALLERS: Patience = {
  attempts: 3,
  firstDelayMs: 100,
  maxDelayMs: 1_000,
  timeoutMs: 10_000,
  anotherAfterMs: 1_000,
};
const WRITERS: Patience = { attempts: 8, firstDelayMs: 250, maxDelayMs: 10_000, timeoutMs: 60_000 };

/** Connects at the first request. */
export const createOpenSearch = ({
  address,
  forCallers = CALLERS,
  forWriters = WRITERS,
  sleep = wait,
}: ConnectionOptions): OpenSearch => {
  const nodes = createNodes(address.nodes.map((node) => new Client(configOf(node, address))));
  const sendTo = (
    node: Client,
    { method, path, query = {}, body, takes = [] }: OpenSearchRequest,
    requestTimeout: number,
  ) => {
    const lines = Array.isArray(body) && { bulkBody: body };
    const content = lines || (body !== undefined && { body });
    return node.transport.request(
      { method, path, querystring: query, ...content },
      { requestTimeout, maxRetries: 0, ignore: [...takes] },
    );
  };
  return {
    ask: async (request: OpenSearchRequest) => {
      const { timeoutMs, anotherAfterMs, ...policy } = request.isPatient === true ? forWriters : forCallers;
      for (let attempt = 1; ; attempt += 1) {
        try {
          const answer = await nodes.ask((node) => sendTo(node, request, timeoutMs), anotherAfterMs);
          return { status: answer.statusCode ?? 0, body: answer.body as never };
        } catch (error) {
          const fault = faultOf(error);
          const delay = fault.isTransient
            ? retryDelay(policy, attempt, fault.requestedMs, Math.random())
            : null;
          if (delay === null) throw fault.error;
          await sleep(delay);
        }
      }
    },
    backOff: (attempt) => retryDelay(forWriters, attempt, 0, Math.random()),
    sleep,
    close: nodes.close,
  };
};

const configOf = (node: string, { authority, signIn }: OpenSearchAddress): ClientOptions => ({
  ...(signIn?.by === 'aws' &&
    AwsSigv4Signer({ region: signIn.region, service: 'es', getCredentials: awsCredentials })),
  node,
  // There is no other in the client: `nodes.ts` chooses.
  resurrectStrategy: 'none',
  ...(signIn?.by === 'password' && { auth: { username: signIn.username, password: signIn.password } }),
  ...(authority !== undefined && { ssl: { ca: authority } }),
});

/** As for S3: environment, profiles, roles of container and machine. Loaded with the first request. */
const awsCredentials = async () => {
  const { S3 } = await import('@aws-sdk/client-s3');
  // What the SDK would sign with. It makes no connection.
  return new S3({ region: 'us-east-1' }).config.credentials();
};

interface Fault {
  readonly error: Error;
  readonly isTransient: boolean;
  /** Delay that the cluster asks for. */
  readonly requestedMs: number;
}

const faultOf = (error: unknown): Fault => {
  if (error instanceof errors.ResponseError) return refusal(error);
  const unavailable = (what: string, isTransient = true): Fault => ({
    error: new SearchEngineUnavailable(`OpenSearch ${what}`),
    isTransient,
    requestedMs: 0,
  });
  if (error instanceof errors.TimeoutError) return unavailable('does not answer in time');
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError) {
    const code = /\bE[A-Z]{4,}\b/.exec(error.message)?.[0];
    const { word, isTransient } = connectionFault(code === undefined ? error : { code });
    return unavailable(`cannot be reached: ${word}`, isTransient);
  }
  if (error instanceof errors.OpenSearchClientError)
    return unavailable(`gives no answer: ${error.name}`, false);
  return unavailable(`cannot be asked: ${(error as Error).name}`, false);
};

const refusal = ({ statusCode, headers, body }: InstanceType<typeof errors.ResponseError>): Fault => {
  const header = (name: string): string | null => (headers?.[name] as string | undefined) ?? null;
  const type = (body as { readonly error?: { readonly type?: unknown } } | null)?.error?.type;
  return {
    error: refusedBy(statusCode, typeof type === 'string' ? type : ''),
    isTransient: isTransientStatus(statusCode),
    requestedMs: serverDelay(header, Date.now()),
  };
};

/** The error for a status, also for that of a part of an answer. */
export const refusedBy = (status: number, type: string): Error => {
  if (isTransientStatus(status)) return new SearchEngineUnavailable(`OpenSearch answers ${status}`);
  if (status === 401 || status === 403)
    return new SearchEngineUnavailable(`OpenSearch does not accept the credentials: it answers ${status}`);
  // Lost: the view that fills it makes it anew.
  if (status === 404) return new SearchEngineUnavailable('OpenSearch does not have the index');
  return new OpenSearchRefusal(`OpenSearch refuses a request: ${status} ${type}`.trimEnd());
};
