import { afterAll, expect } from 'vitest';
import { buildApp } from '../../../adapters/http/app.ts';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import { type ArrivalLimits, type RunningServer, startServer } from '../../../adapters/http/server.ts';
import { type StopSteps, createStopSteps } from '../../../adapters/http/stop-signals.ts';
import { createOpenApiCheck, type OpenApiDocument, type SeenAnswer } from '../../support/openapi-check.ts';
import { fakeOperations } from './fake-operations.ts';
import { KEY } from './fake-records.ts';

export interface Answer extends SeenAnswer {
  /** The body as JSON. */
  readonly json: () => Json;
}
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
export type Json = any;

export interface Ask {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
}

export interface RunningApp {
  readonly url: string;
  readonly document: OpenApiDocument;
  readonly steps: StopSteps;
  /** Stops it as a signal would. */
  readonly stop: RunningServer['stop'];
  /** Sends a request and checks the answer against the OpenAPI document. Redirects are not followed. */
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>;
  /** A request whose body is read by the test. */
  readonly open: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

const running: RunningServer[] = [];
/** What was logged as an error. A test that means to break something brings a log of its own. */
const errors: unknown[] = [];

/** The servers of a file stop with its last test; none of them may have logged an error. */
export const stopServersAfterAll = (): void => {
  afterAll(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop(0)));
    expect(errors.splice(0)).toEqual([]);
  });
};

interface Documented {
  readonly document: OpenApiDocument;
  readonly check: ReturnType<typeof createOpenApiCheck>;
}
const documents = new Map<string, Documented>();

/** Of all applications that say the same, which is nearly all of them: checks are dear to compile. */
const documented = (text: string): Documented => {
  const known = documents.get(text);
  if (known !== undefined) return known;
  const document = JSON.parse(text) as OpenApiDocument;
  const made = { document, check: createOpenApiCheck(document) };
  documents.set(text, made);
  return made;
};

/** The real application on a free port of this machine, over operations that succeed unless the test changes them. */
export const runApp = async (
  change: (fakes: HttpDeps) => Partial<HttpDeps> = () => ({}),
  limits?: ArrivalLimits,
): Promise<RunningApp> => {
  const steps = createStopSteps();
  const fakes = fakeOperations(steps, errors);
  const app = buildApp({ ...fakes, ...change(fakes) });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 }, steps, limits);
  running.push(server);
  const { url, stop } = server;
  const { document, check } = documented(await (await fetch(`${url}/openapi.json`)).text());

  const ask: RunningApp['ask'] = async (method, path, { key = KEY, headers = {}, body } = {}) => {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const answer = { method, path, status: response.status, headers: response.headers, body: text };
    check(answer);
    return { ...answer, json: () => JSON.parse(text) };
  };

  const open: RunningApp['open'] = (path, headers = {}) =>
    fetch(url + path, { headers: { 'x-api-key': KEY, ...headers } });

  return { url, document, steps, stop, ask, open };
};
