import type { Response } from 'express';

/** Writes a JSON answer in one piece. To HEAD, Node sends the headers alone. */
export const sendJson = (res: Response, status: number, body: unknown): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', bytes.length);
  res.end(bytes);
};
