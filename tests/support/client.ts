import { type Client as PublicClient, createClient } from '../../clients/typescript/src/index.ts';

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
  readonly body: any;
  readonly headers: Headers;
}

/** A service, asked with one key: by the client for TypeScript, as users do. */
export interface Client extends PublicClient {
  readonly base: string;
  readonly key: string;
  /** One request as it is, and its answer, whatever that is: for what the client hides, such as headers and refusals. */
  readonly api: (
    method: string,
    path: string,
    body?: unknown,
    headers?: { readonly [name: string]: string },
  ) => Promise<Answer>;
}

export const clientOf = (base: string, key: string): Client => ({
  ...createClient({ url: base, key }),
  base,
  key,
  api: async (method, path, body, headers = {}) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answered = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      body: json && answered !== '' ? JSON.parse(answered) : answered,
      headers: response.headers,
    };
  },
});

/** The same service, asked with another key. */
export const withKey = ({ base }: Client, key: string): Client => clientOf(base, key);
