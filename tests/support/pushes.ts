import type { Answer, Client } from './client.ts';

interface Document {
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** A push, fed over HTTP. */
export const openPush = async (client: Client, name = 'Feed') => {
  const { status, body } = await client.api('POST', '/pushes', { name });
  if (status !== 201) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  const { id, job_id: jobId }: { id: string; job_id: string } = body;
  const pathOf = (locator: string) => `/source-groups/${id}/sources/${encodeURIComponent(locator)}`;
  return {
    id,
    jobId,
    created: body,
    pathOf,
    put: (locator: string, document: Document | string) => put(client, pathOf(locator), document),
    remove: (locator: string) => client.api('DELETE', pathOf(locator)),
    record: async () => (await client.api('GET', `/pushes/${id}`)).body,
    /** Opens a job. */
    open: () => client.api('POST', `/pushes/${id}/jobs`),
    complete: (job = jobId) => client.api('POST', `/pushes/${id}/jobs/${job}/complete`),
    events: async (): Promise<readonly string[]> => {
      const trail = await client.api('GET', `/pushes/${id}/events?limit=100`);
      return trail.body.events.map(({ type }: { type: string }) => type);
    },
  };
};

const put = async ({ base, key }: Client, path: string, document: Document | string): Promise<Answer> => {
  const {
    text,
    type = 'text/markdown',
    query = {},
  } = typeof document === 'string' ? { text: document } : document;
  const response = await fetch(`${base}/api/v1${path}?${new URLSearchParams(query).toString()}`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': type },
    body: text,
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
};
