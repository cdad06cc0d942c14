import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { FileDamaged } from '../../../application/ports/file-store.ts';
import type { Connection } from './connection.ts';
import { isAbsent, isTransient, ObjectGone, unavailable } from './failure.ts';

const PAUSE_MS = 100;

/** Part of an object: `bytes` is the length of the whole, `end` inclusive. */
export interface Part {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes of a part. A connection that breaks is taken up again where it broke: the bytes under a hash do not
 * change. A whole file is verified against its hash.
 *
 * @throws FileDamaged at the end, ObjectGone, FileStoreUnavailable
 */
export async function* readPart(connection: Connection, part: Part): AsyncGenerator<Uint8Array> {
  const whole = part.start === 0 && part.end === part.bytes - 1;
  const digest = createHash('sha256');
  let at = part.start;
  for (let attempt = 1; at <= part.end; attempt++) {
    try {
      for await (const chunk of bytesFrom(connection, part, at)) {
        at += chunk.length;
        if (whole) digest.update(chunk);
        yield chunk;
      }
      if (at <= part.end) throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    } catch (error) {
      if (attempt >= connection.attempts || !isTransient(error)) throw unavailable(connection.address, error);
      await wait(PAUSE_MS * 2 ** (attempt - 1));
    }
  }
  if (whole && digest.digest('hex') !== part.sha256) throw new FileDamaged(part.sha256);
}

/** One answer, from position `at`. A service that sends more than was asked for, as some do, is cut. */
async function* bytesFrom(connection: Connection, part: Part, at: number): AsyncGenerator<Uint8Array> {
  const { key: Key, bytes, end } = part;
  const whole = at === 0 && end === bytes - 1;
  const Range = whole ? {} : { Range: `bytes=${at}-${end}` };
  const { bucket: Bucket } = connection.address;
  const answer = await connection
    .raw((s3, options) => s3.getObject({ Bucket, Key, ...Range }, options))
    .catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectGone('the file is gone') : unavailable(connection.address, error);
    });
  const body = answer.Body as (AsyncIterable<Uint8Array> & { destroy(): void }) | undefined;
  if (body === undefined) return;
  try {
    const [, first, length] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
    // Without Content-Range the answer is the whole object (RFC 9110 section 14.2).
    const from = Number(first ?? 0);
    if (from > at || Number(length ?? answer.ContentLength ?? bytes) !== bytes) {
      throw new FileDamaged(part.sha256);
    }
    yield* between(body, at - from, end - from + 1);
  } finally {
    body.destroy();
  }
}

async function* between(
  chunks: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const chunk of chunks) {
    const wanted = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position));
    position += chunk.length;
    if (wanted.length > 0) yield wanted;
    if (position >= end) return;
  }
}
