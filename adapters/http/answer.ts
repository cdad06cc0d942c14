import type { Position } from '../../application/ports/event-store.ts';
import type { ReadGate, ViewName } from '../../application/ports/read-gate.ts';
import { HttpProblem } from './problem.ts';
import type { Response } from 'express';
import type { ServerResponse } from 'node:http';

declare const OF: unique symbol;
/** JSON of a `Body`, as whoever writes it has seen to. */
export type JsonText<Body> = string & { readonly [OF]?: Body };
/** The same in UTF-8. */
export type JsonBytes<Body> = Buffer & { readonly [OF]?: Body };
type Json<Body> = JsonText<Body> | JsonBytes<Body>;

/** A JSON answer: what it holds, or that as JSON, where it is so long that to make objects of it costs more than all else. */
export type JsonAnswer<Status extends number, Body> = Told<Status> &
  ({ readonly body: Body } | { readonly json: Json<Body> });

/** `location`: path of what was created; `position`: where the write, or the last event that it tells, stands in the log. */
interface Told<Status extends number> {
  readonly status: Status;
  readonly location?: string | undefined;
  readonly position?: Position | undefined;
  /** It is the first answer to a repeated request again. */
  readonly replayed?: boolean | undefined;
}

/** What an answer tells of the write behind it. */
type Write = Pick<Told<number>, 'position' | 'replayed'>;

export const ok = <Body>(body: Body, position?: Position): JsonAnswer<200, Body> => ({
  status: 200,
  body,
  position,
});

export const okJson = <Body>(json: Json<Body>): JsonAnswer<200, Body> => ({ status: 200, json });

/** Bytes that are JSON already, wherever they were written; nothing is copied. */
export const jsonBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

export const created = <Body>(
  body: Body,
  location: string,
  { position, replayed }: Write,
): JsonAnswer<201, Body> => ({ status: 201, body, location, position, replayed });

/** Work that goes on after the answer. */
export const accepted = <Body>(body: Body, position: Position): JsonAnswer<202, Body> => ({
  status: 202,
  body,
  position,
});

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

/** How long what a stream tells waits for the views: as long as a read with `x-min-position`. */
export const SHOWN_WITHIN_MS = 2_000;

/**
 * What a stream tells, each part with the position up to which `views` must have come before it is told (null: it need
 * not wait): who is told that a job or a run is over, and then asks for it, sees it so. A view that is behind for longer
 * than 2 s holds nothing back.
 */
export async function* shownByViews<T>(
  {
    gate,
    views,
    signal,
  }: { readonly gate: ReadGate; readonly views: readonly ViewName[]; readonly signal: AbortSignal },
  source: AsyncIterable<T>,
  positionOf: (part: T) => Position | null,
): AsyncGenerator<T> {
  for await (const part of source) {
    const position = positionOf(part);
    if (position !== null) await gate.reached(views, position, SHOWN_WITHIN_MS, signal);
    yield part;
  }
}

export type WithDatabase = <T>(work: () => Promise<T>, refusal: (reason: Error) => Error) => Promise<T>;

/** Every request needs the database, if only to know its key. What is being streamed goes on. */
export const withinViewDeadline = async (
  withDatabase: WithDatabase,
  res: Response,
  answer: () => Promise<void>,
): Promise<void> => {
  let answering: Promise<void> | undefined;
  const away = (): HttpProblem =>
    new HttpProblem('unavailable', 'the database does not answer: try again', { 'retry-after': '1' });
  try {
    await withDatabase(() => (answering = answer()), away);
  } catch (error) {
    if (!res.headersSent || answering === undefined) throw error;
    await answering;
  }
};
