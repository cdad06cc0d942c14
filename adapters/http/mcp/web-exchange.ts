import { once } from 'node:events';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';

/** The request as the protocol's library takes it; its body has been read. */
export const webRequestOf = ({ headers: given, url }: HttpRequest, signal: AbortSignal): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (PASSED_ON.has(name) && typeof value === 'string') headers.set(name, value);
  }
  return new Request(new URL(url, 'http://knowledger'), { method: 'POST', headers, signal });
};
/** What the protocol reads. A key never gets further than the door. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/** Sends the answer, no faster than the client reads it. Headers that are set already stay, but for those it has too. */
export const sendWebResponse = async (res: HttpResponse, answer: Response): Promise<void> => {
  res.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (!OURS.has(name)) res.setHeader(name, value);
  if (answer.body === null) {
    res.end();
    return;
  }
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  // nginx would collect the pieces otherwise.
  if (isStream) res.setHeader('x-accel-buffering', 'no');
  for await (const piece of answer.body) {
    if (res.closed) break;
    if (!res.write(piece)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  res.end();
};
/** Set for every answer, or the affair of the connection. */
const OURS: ReadonlySet<string> = new Set(['cache-control', 'connection']);
