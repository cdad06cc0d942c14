import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXTRACTION_LIMITS } from '../../adapters/extraction/document-reader.ts';
import type { FetchedItem } from '../../application/sources/ingestion/listed/listed-source.ts';
import { extractFile } from '../../composition/document-reader.ts';

/** As many as the program records together. */
const TOGETHER = 128;

/** Keeps documents as barely as they can be kept and still be found after a power cut. */
export interface Keeper {
  readonly keep: (fetched: FetchedItem) => Promise<void>;
  /** What was kept last is on disk, and how many there are. */
  readonly close: () => Promise<number>;
}

/**
 * Each document a synced file, its text taken by the reader of the program in this process, and its chunks in a full-text
 * index of SQLite: one synced transaction for many. No events, no ledger, no metadata, no isolation, nothing to sync later.
 */
export const openKeeper = async (): Promise<Keeper> => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-bench-keeper-'));
  const db = new DatabaseSync(join(folder, 'index.db'));
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create virtual table content using fts5(text)',
  );
  const insert = db.prepare('insert into content (text) values (?)');
  let waiting: string[] = [];
  let kept = 0;
  const flush = (): void => {
    db.exec('begin');
    for (const text of waiting) insert.run(text);
    db.exec('commit');
    waiting = [];
  };
  return {
    keep: async (fetched) => {
      if (fetched.kind !== 'document' || !(fetched.document.body instanceof Uint8Array)) return;
      const { body, ...claims } = fetched.document;
      kept += 1;
      const file = join(folder, String(kept));
      await writeFile(file, body, { flush: true });
      const outcome = await extractFile({
        ...claims,
        file,
        bytes: body.byteLength,
        limits: EXTRACTION_LIMITS,
      });
      if (outcome.kind === 'document') waiting.push(...outcome.chunkSet.chunks.map(({ text }) => text));
      if (waiting.length >= TOGETHER) flush();
    },
    close: async () => {
      flush();
      db.close();
      await rm(folder, { recursive: true, force: true });
      return kept;
    },
  };
};
