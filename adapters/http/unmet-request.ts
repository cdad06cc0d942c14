import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Refuses with the envelope what Node would refuse with an empty answer: an HTTP/1.1 request without `Host` (RFC 9112,
 * section 3.2). The server must be made with `requireHostHeader: false`.
 */
export const withHost =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    if (req.headers.host !== undefined || req.httpVersion === '1.0') listener(req, res);
    else refuse(res, 400, 'send the header Host: HTTP/1.1 asks for it');
  };

/** Listens to `checkExpectation`: `100-continue`, which Node meets by itself, never comes here. */
export const refuseExpectation = (_req: IncomingMessage, res: ServerResponse): void =>
  refuse(res, 417, 'Expect may be 100-continue and nothing else: leave it out');

const refuse = (res: ServerResponse, status: number, message: string): void => {
  const body = JSON.stringify({ error: { message, type: 'invalid_request' } });
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
};
