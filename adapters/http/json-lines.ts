import type { Response } from 'express';
import type { StreamAnswer } from './stream-answer.ts';

export const JSON_LINES = 'application/x-ndjson';

/**
 * Sends one JSON value per line. A body that ends well is whole: when the source fails this throws, and when the server
 * drains before the end, the connection is cut.
 */
export const sendJsonLines = async (
  res: Response,
  stream: StreamAnswer,
  source: AsyncIterable<unknown>,
): Promise<void> => {
  stream.start(JSON_LINES);
  try {
    for await (const value of source) if (!(await stream.write(`${JSON.stringify(value)}\n`))) break;
  } catch (error) {
    if (!stream.signal.aborted) throw error;
  }
  if (stream.signal.aborted && !res.writableEnded) res.destroy();
  else stream.end();
};
