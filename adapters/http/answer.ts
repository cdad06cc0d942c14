import type { Position } from '../../application/ports/event-store.ts';

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
