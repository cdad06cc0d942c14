import type { Answer, Client } from './client.ts';

interface Document {
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** A push, fed over HTTP. */
export const openPush = async (client: Client, name = 'Feed') => {
  const created = await client.post('/pushes', { body: { name } });
  const { id, job_id: jobId } = created;
  const pathOf = (locator: string) => `/source-groups/${id}/sources/${encodeURIComponent(locator)}`;
  return {
    id,
    jobId,
    created,
    pathOf,
    put: (locator: string, document: Document | string) => put(client, pathOf(locator), document),
    remove: (locator: string) => client.api('DELETE', pathOf(locator)),
    record: () => client.get('/pushes/{id}', { path: { id } }),
    /** Opens a job. */
    open: () => client.api('POST', `/pushes/${id}/jobs`),
    complete: (job = jobId) => client.api('POST', `/pushes/${id}/jobs/${job}/complete`),
    events: (): Promise<readonly string[]> =>
      Array.fromAsync(client.all('/pushes/{id}/events', { path: { id } }), ({ type }) => type),
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
