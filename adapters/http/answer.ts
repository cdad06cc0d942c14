import type { Position } from '../../application/ports/event-store.ts';

/** A JSON answer. `location`: path of what was created; `position`: where the write, or the last event that it
 * tells, stands in the log. */
export interface JsonAnswer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly location?: string | undefined;
  readonly position?: Position | undefined;
  /** It is the first answer to a repeated request again. */
  readonly replayed?: boolean | undefined;
}

/** What an answer tells of the write behind it. */
type Write = Pick<JsonAnswer<number, unknown>, 'position' | 'replayed'>;

export const ok = <Body>(body: Body, position?: Position): JsonAnswer<200, Body> => ({
  status: 200,
  body,
  position,
});

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
