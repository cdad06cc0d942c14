import { open } from 'node:fs/promises';
import type { ExportedEvent } from '../../application/audit/export-log.ts';
import { readMetadata } from '../../application/event-sourcing/event-codec.ts';
import { traceIdOf } from '../../domain/trace-context.ts';
import type { EventWriter, Written } from './event-writer.ts';
import { COLUMNS, type Row, rowOf } from './row.ts';

interface LineFormat {
  readonly head: string;
  readonly line: (event: ExportedEvent) => string;
}

/** The lines that docs/verify-export.mjs checks, with more members. */
export const jsonLines: LineFormat = {
  head: '',
  line: ({ line, tenant, position, recordedAt }) => {
    const metadata = line.event.metadata as Parameters<typeof readMetadata>[0];
    const { actor, traceparent } = readMetadata(metadata);
    return JSON.stringify({
      position,
      recorded_at: new Date(recordedAt).toISOString(),
      tenant,
      actor,
      trace_id: traceIdOf(traceparent),
      ...line,
    });
  },
};

/** RFC 4180, but with the line ends of Unix. */
export const csvLines: LineFormat = {
  head: `${COLUMNS.join(',')}\n`,
  line: (event) => {
    const row = rowOf(event);
    return COLUMNS.map((name) => {
      const text = csvText(row[name]);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    }).join(',');
  },
};

const csvText = (value: Row[keyof Row]): string => {
  if (value instanceof Date) return value.toISOString();
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Each page is durable when `write` returns. */
export const openLines = async (
  path: string,
  from: Written,
  { head, line }: LineFormat,
): Promise<EventWriter> => {
  const file = await open(path, from.size === 0 ? 'w' : 'r+');
  await file.truncate(from.size);
  let written = from;
  const put = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    let done = 0;
    while (done < bytes.length)
      done += (await file.write(bytes, done, bytes.length - done, written.size + done)).bytesWritten;
    await file.datasync();
    written = { ...written, size: written.size + bytes.length };
  };
  if (from.size === 0) await put(head);
  return {
    write: async ({ events, position }) => {
      if (events.length > 0) await put(events.map((event) => `${line(event)}\n`).join(''));
      written = { ...written, events: written.events + events.length, position };
      return written;
    },
    close: async () => {
      await file.close();
      return written;
    },
  };
};
