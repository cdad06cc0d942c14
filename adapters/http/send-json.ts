import type { ServerResponse } from 'node:http';
import type { HttpProblem } from './problem.ts';

/** From so many characters on, two writes cost less than a text that Node encodes. */
const LONG = 16_384;

/** Writes a JSON answer in one piece: a text goes out with its headers in one write. To HEAD, Node sends the headers alone. */
export const sendJson = (res: ServerResponse, status: number, body: unknown): void =>
  sendJsonText(res, status, JSON.stringify(body));

/** The same of what is JSON already, as text or in UTF-8. */
export const sendJsonText = (res: ServerResponse, status: number, json: string | Buffer): void => {
  const text = typeof json !== 'string' || json.length < LONG ? json : Buffer.from(json);
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
};

/** Answers with the error envelope, and the headers that belong to the refusal. */
export const sendProblem = (res: ServerResponse, { status, type, message, headers }: HttpProblem): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, status, { error: { message, type } });
};
