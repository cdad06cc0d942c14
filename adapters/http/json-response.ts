import type { Position } from '../../application/ports/event-store.ts';
import { DatabaseLost, type ReadGate, type ViewName } from '../../application/ports/read-gate.ts';
import { HttpProblem } from './problem.ts';
import type { Response } from 'express';
import type { ServerResponse } from 'node:http';

declare const OF: unique symbol;
/** JSON text of a `Body`; the writer guarantees the type. */
export type JsonText<Body> = string & { readonly [OF]?: Body };
/** JSON of a `Body` in UTF-8. */
export type JsonBytes<Body> = Buffer & { readonly [OF]?: Body };
type Json<Body> = JsonText<Body> | JsonBytes<Body>;

/** A JSON response: a body, or its JSON when it is so long that creating objects would dominate the cost. */
export type JsonResponse<Status extends number, Body> = ResponseMeta<Status> &
  ({ readonly body: Body } | { readonly json: Json<Body> });

/**
 * `location`: path of the created resource; `position`: log position of the write, or of the last event in the
 * response.
 */
interface ResponseMeta<Status extends number> {
  readonly status: Status;
  readonly location?: string | undefined;
  readonly position?: Position | undefined;
  /** The response repeats the first response to an idempotent request. */
  readonly replayed?: boolean | undefined;
}

/** What a response says about its write. */
type Write = Pick<ResponseMeta<number>, 'position' | 'replayed'>;

export const ok = <Body>(body: Body, position?: Position): JsonResponse<200, Body> => ({
  status: 200,
  body,
  position,
});

export const okJson = <Body>(json: Json<Body>): JsonResponse<200, Body> => ({ status: 200, json });

/** Wraps bytes that already are JSON, without a copy. */
export const jsonBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

export const created = <Body>(
  body: Body,
  location: string,
  { position, replayed }: Write,
): JsonResponse<201, Body> => ({ status: 201, body, location, position, replayed });

/** The work continues after the response. */
export const accepted = <Body>(body: Body, position: Position): JsonResponse<202, Body> => ({
  status: 202,
  body,
  position,
});

/** From this many characters on, two writes are cheaper than letting Node encode the text. */
const MIN_SPLIT_CHARACTERS = 16_384;

/** Sends a JSON response in one piece: headers and body leave in one write. To HEAD, Node sends only the headers. */
export const sendJson = (res: ServerResponse, status: number, body: unknown): void =>
  sendJsonText(res, status, JSON.stringify(body));

/** Sends JSON that is already serialised, as text or in UTF-8. */
export const sendJsonText = (res: ServerResponse, status: number, json: string | Buffer): void => {
  const text = typeof json !== 'string' || json.length < MIN_SPLIT_CHARACTERS ? json : Buffer.from(json);
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
};

/** Sends the error envelope, with the headers of the problem. */
export const sendProblem = (res: ServerResponse, { status, type, message, headers }: HttpProblem): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, status, { error: { message, type } });
};

/** How long streamed parts wait for the views: as long as a read with `x-min-position`. */
export const MAX_VIEW_WAIT_MS = 2_000;

/**
 * Streams parts, each with the position that `views` must reach before the part is sent (null: it need not wait): a
 * client that is told that a job or a run has ended, and then requests it, sees it ended. A view that lags more than 2
 * s holds nothing back.
 */
export async function* onceViewsShow<T>(
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
    if (position !== null) await gate.reached(views, position, MAX_VIEW_WAIT_MS, signal);
    yield part;
  }
}

export type WithDatabase = <T>(work: () => Promise<T>, refusal: (reason: Error) => Error) => Promise<T>;

/** Every request needs the database, if only to authenticate. A started stream continues. */
export const withinViewDeadline = async (
  withDatabase: WithDatabase,
  res: Response,
  answer: () => Promise<void>,
): Promise<void> => {
  let answering: Promise<void> | undefined;
  const away = (reason: Error): HttpProblem => {
    const isLost = reason instanceof DatabaseLost;
    const message = isLost
      ? 'the tables of the database are gone: ask the operator'
      : 'the database does not answer: try again';
    return new HttpProblem('unavailable', message, { 'retry-after': '1' });
  };
  try {
    await withDatabase(() => (answering = answer()), away);
  } catch (error) {
    if (!res.headersSent || answering === undefined) throw error;
    await answering;
  }
};
