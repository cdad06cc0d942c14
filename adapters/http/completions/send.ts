import type { Response } from 'express';
import type {
  CompletionEvent,
  RunningCompletion,
} from '../../../application/answers/completions/completion.ts';
import { EVENT_STREAM, type StreamResponse } from '../stream-response.ts';
import type { AgUiEvent } from './agui.ts';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const KEEP_ALIVE_MS = 15_000;

/** The result of a completion that is awaited as a whole. */
export const lastOf = async ({ events }: RunningCompletion) => {
  for await (const event of events) if (event.kind === 'finished') return event.completion;
  throw new Error('a completion ended without an answer');
};

/**
 * Sends the deltas as plain text. Nothing is sent before the first delta, so that a failure until then is an HTTP
 * error; a later failure cuts the connection, because a body that ends normally is complete.
 */
export const sendPlainText = async (
  res: Response,
  stream: StreamResponse,
  running: RunningCompletion,
): Promise<void> => {
  const { conversationId, userMessageId, assistantMessageId } = running;
  const events = running.events[Symbol.asyncIterator]();
  let next: IteratorResult<CompletionEvent>;
  do next = await events.next();
  while (next.done !== true && next.value.kind === 'reasoning');
  res.setHeader('x-conversation-id', conversationId);
  res.setHeader('x-user-message-id', userMessageId);
  res.setHeader('x-assistant-message-id', assistantMessageId);
  stream.start(PLAIN_TEXT);
  try {
    for (; next.done !== true; next = await events.next()) {
      if (next.value.kind === 'delta' && !(await stream.write(next.value.text))) break;
    }
  } finally {
    await events.return?.();
  }
  if (stream.signal.aborted && !res.writableEnded) res.destroy();
  else stream.end();
};

/** Server-sent events without ids: a completion cannot be resumed; its answer can be read from the conversation. */
export const sendAgUi = async (
  stream: StreamResponse,
  events: AsyncIterable<AgUiEvent>,
  everyMs = KEEP_ALIVE_MS,
): Promise<void> => {
  stream.start(EVENT_STREAM);
  const beat = setInterval(() => stream.writeIfIdle(': keep-alive\n\n'), everyMs);
  try {
    for await (const event of events) {
      // When the server ends the stream, the source still sends a last event with the reason.
      if (!(await stream.write(`data: ${JSON.stringify(event)}\n\n`)) && stream.gone()) break;
    }
  } finally {
    clearInterval(beat);
  }
  stream.end();
};
