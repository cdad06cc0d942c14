export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
  readonly body: any;
  readonly headers: Headers;
}

/** A service, asked with one key. */
export interface Client {
  readonly base: string;
  readonly key: string;
  readonly api: (
    method: string,
    path: string,
    body?: unknown,
    headers?: { readonly [name: string]: string },
  ) => Promise<Answer>;
}

export const clientOf = (base: string, key: string): Client => ({
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
