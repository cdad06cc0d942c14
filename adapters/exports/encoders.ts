import type {
  ExportedEvent,
  ExportEncoder,
  ExportFormat,
  ExportPage,
} from '../../application/audit/export-log.ts';
import { readMetadata } from '../../application/event-sourcing/event-codec.ts';
import { traceIdOf } from '../../domain/trace-context.ts';
import { COLUMNS, type Row, rowOf } from './row.ts';

/** Opens the encoder of a format, for one file. */
export const openEncoder = async (format: ExportFormat): Promise<ExportEncoder> => {
  // Its library is loaded only where it is needed.
  if (format === 'parquet') return (await import('./parquet.ts')).createParquetEncoder();
  const head = format === 'csv' ? `${COLUMNS.join(',')}\n` : '';
  const linesOf = format === 'csv' ? csvLines : jsonLines;
  const page = async (given: ExportPage): Promise<string> => linesOf(given).join('');
  return { head, page, end: async () => '' };
};

/** The lines that docs/verify-export.mjs checks, with more members. */
const jsonLines = ({ events, leftOut }: ExportPage): readonly string[] => {
  const lines = events.map((event) => ({ index: event.line.index, text: jsonLine(event) }));
  // An export that tells what it left out is of one tenant, so indexes have the order of the log.
  const others = leftOut.map((line) => ({ index: line.index, text: `${JSON.stringify(line)}\n` }));
  const all = others.length === 0 ? lines : [...lines, ...others].toSorted((a, b) => a.index - b.index);
  return all.map(({ text }) => text);
};

const jsonLine = ({ line, tenant, position, recordedAt }: ExportedEvent): string => {
  const metadata = line.event.metadata as Parameters<typeof readMetadata>[0];
  const { actor, traceparent } = readMetadata(metadata);
  const recorded = new Date(recordedAt).toISOString();
  const trace = traceIdOf(traceparent);
  return `${JSON.stringify({ position, recorded_at: recorded, tenant, actor, trace_id: trace, ...line })}\n`;
};

/** RFC 4180, but with the line ends of Unix. */
const csvLines = ({ events }: ExportPage): readonly string[] =>
  events.map((event) => {
    const row = rowOf(event);
    const cells = COLUMNS.map((name) => {
      const text = csvText(row[name]);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    });
    return `${cells.join(',')}\n`;
  });

const csvText = (value: Row[keyof Row]): string => {
  if (value instanceof Date) return value.toISOString();
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
