import type { StreamAnswer } from './stream-answer.ts';

/** One event of a stream (WHATWG HTML, section 9.2): `id` is what `Last-Event-ID` sends back. */
export interface ServerSentEvent {
  /** Absent: that of the event before goes on. */
  readonly id?: string;
  /** Absent: the client only learns the id, from which it goes on after a break. */
  readonly data?: unknown;
}

export const EVENT_STREAM = 'text/event-stream';
const KEEP_ALIVE_MS = 15_000;
/** What the client waits before it connects again. */
const RETRY_MS = 2_000;

export interface KeepAlive {
  /** Asked at every keep-alive: a key that was revoked or has expired ends its streams. */
  readonly stillAllowed: () => Promise<boolean>;
  /** Milliseconds between keep-alive comments: 15 s where it is not given. */
  readonly everyMs?: number | undefined;
}

/**
 * Sends events as they come, until the client goes, the server drains or the source ends. When the source fails it
 * throws; the client resumes after the last id that it has seen.
 */
export const sendEvents = async (
  stream: StreamAnswer,
  source: AsyncIterable<ServerSentEvent>,
  { stillAllowed, everyMs = KEEP_ALIVE_MS }: KeepAlive,
): Promise<void> => {
  stream.start(EVENT_STREAM);
  const beat = setInterval(() => {
    stream.writeIfIdle(': keep-alive\n\n');
    stillAllowed().then(
      (allowed) => allowed || stream.stop(),
      () => undefined, // not known now: asked again at the next beat
    );
  }, everyMs);
  try {
    await stream.write(`retry: ${RETRY_MS}\n\n`);
    for await (const event of source) if (!(await stream.write(frameOf(event)))) break;
  } catch (error) {
    if (!stream.signal.aborted) throw error;
  } finally {
    clearInterval(beat);
  }
  stream.end();
};

/** JSON holds no line break, so one `data` line is enough. */
const frameOf = ({ id, data }: ServerSentEvent): string => {
  const named = id === undefined ? '' : `id: ${id}\n`;
  return data === undefined ? `${named}\n` : `${named}data: ${JSON.stringify(data)}\n\n`;
};
