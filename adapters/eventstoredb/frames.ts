import type { ClientReadableStream } from '@grpc/grpc-js';
import { tooLate } from './failures.ts';

/**
 * The messages of a call, as many at once as are there. The server sends no more than the reader takes.
 *
 * `silenceMs`: how long the next may take, counted only while the reader waits for it.
 */
export const framesOf = async function* framesOf<Frame>(
  call: ClientReadableStream<Frame>,
  silenceMs: number | undefined,
): AsyncGenerator<readonly Frame[], void, undefined> {
  let ended: { readonly error?: Error } | null = null;
  let wake = (): void => {};
  const onEnd = (error?: Error): void => {
    ended ??= error ? { error } : {};
    wake();
  };
  call.on('readable', () => wake());
  call.on('end', () => onEnd());
  // Raised after the reader has left too, when nobody waits for it: without a listener it would end the process.
  call.on('error', onEnd);
  /** False: nothing came in time. */
  const something = async (): Promise<boolean> => {
    let late: NodeJS.Timeout | undefined;
    const come = new Promise<boolean>((resolve) => {
      wake = () => resolve(true);
      if (silenceMs !== undefined) late = setTimeout(() => resolve(false), silenceMs);
    });
    try {
      return await come;
    } finally {
      clearTimeout(late);
    }
  };
  for (;;) {
    const frames = taken(call);
    if (frames.length > 0) {
      yield frames;
      continue;
    }
    const end = ended as { readonly error?: Error } | null;
    if (end?.error) throw end.error;
    if (end) return;
    if (!(await something())) throw tooLate(silenceMs ?? 0);
  }
};

const taken = <Frame>(call: ClientReadableStream<Frame>): readonly Frame[] => {
  const frames: Frame[] = [];
  for (let frame = call.read() as Frame | null; frame !== null; frame = call.read() as Frame | null) {
    frames.push(frame);
  }
  return frames;
};
