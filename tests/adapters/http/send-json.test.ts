import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sendJson } from '../../../adapters/http/answer.ts';

/** The body as it was received, and how long it was said to be. */
const sent = async (body: unknown): Promise<{ readonly body: unknown; readonly bytes: string | null }> => {
  await using cleanup = new AsyncDisposableStack();
  const server = createServer((_req, res) => sendJson(res, 200, body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.defer(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { body: await answer.json(), bytes: answer.headers.get('content-length') };
};

it.each([1, 20_000])('a text of %i letters arrives whole, with its length in bytes', async (letters) => {
  const text = 'ä'.repeat(letters);
  expect(await sent({ text })).toEqual({ body: { text }, bytes: String(2 * letters + 11) });
});
