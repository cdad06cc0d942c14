import { open as openFile, readFile, rename, stat } from 'node:fs/promises';
import type { ExportPage } from '../../application/audit/export-log.ts';
import type { Position } from '../../application/ports/event-store.ts';
import { type EventWriter, openLines, openParts, type Written } from './files.ts';

/** What an export has, from its beginning on. Another one needs another file. */
export interface ExportRequest {
  readonly filter: object;
  /** Where it began. */
  readonly after: Position;
  /** It tells the hashes of what the filter leaves out, as only lines of JSON do. */
  readonly hashes?: true;
}

export type Reached = Pick<Written, 'events' | 'position'>;
export interface EventExport {
  /** Where it goes on. */
  readonly written: Reached;
  readonly write: (page: ExportPage) => Promise<void>;
  readonly close: () => Promise<Reached>;
}

/** @throws Error if a file is an export of another request */
export const mustAskForTheSame = (path: string, before: ExportRequest, now: ExportRequest): void => {
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  throw new Error(`${path} is an export of ${JSON.stringify(before)}: name a new file, or ask for the same`);
};

type Open = (path: string, from: Written) => Promise<EventWriter>;
const FORMATS: Readonly<Record<string, Open>> = {
  ndjson: (path, from) => openLines(path, from, 'ndjson'),
  csv: (path, from) => openLines(path, from, 'csv'),
  parquet: openParts,
};

/**
 * Opens an export at `path`, whose ending names its format: .ndjson, .csv, or .parquet, which is a folder of numbered
 * files. `<path>.state.json` tells how far it is; with it the export goes on, and has each event once whenever its process
 * was killed.
 *
 * @throws Error for another ending, for a file that is no such export, or one of another request
 */
export const openExport = async (path: string, request: ExportRequest): Promise<EventExport> => {
  const open = FORMATS[/\.([a-z]+)$/.exec(path)?.[1] ?? ''];
  if (open === undefined) throw new Error(`${path} must end with .ndjson, .csv or .parquet`);
  if (request.hashes === true && open !== FORMATS['ndjson'])
    throw new Error(`${path} must end with .ndjson, as only such lines tell hashes of what is left out`);
  const statePath = `${path}.state.json`;
  const text = await readFile(statePath, 'utf8').catch(absent);
  if (text === null && (await stat(path).catch(absent)) !== null)
    throw new Error(`${path} exists, and ${statePath} does not: name a new file`);
  const state =
    text === null
      ? { request, written: { events: 0, position: request.after, size: 0 } }
      : (JSON.parse(text) as { readonly request: ExportRequest; readonly written: Written });
  mustAskForTheSame(path, state.request, request);
  const save = async (written: Written): Promise<void> => {
    await writeDurably(`${statePath}.tmp`, JSON.stringify({ request, written }));
    await rename(`${statePath}.tmp`, statePath);
  };
  // Before the file: a killed process leaves none without its state.
  if (text === null) await save(state.written);
  const writer = await open(path, state.written);
  let saved = state.written;
  const keep = async (written: Written): Promise<void> => {
    if (written !== saved) await save(written);
    saved = written;
  };
  return {
    written: state.written,
    write: async (page) => keep(await writer.write(page)),
    close: async () => {
      await keep(await writer.close());
      return saved;
    },
  };
};

/** Returns when the bytes are on the disk. */
const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await openFile(path, 'w');
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
};

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};
