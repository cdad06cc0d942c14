import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportEncoder, ExportFormat, ExportPage } from '../../application/audit/export-log.ts';
import type { Position } from '../../application/ports/event-store.ts';
import { openEncoder } from './encoders.ts';

/** What is written durably. */
export interface Written {
  readonly events: number;
  readonly position: Position;
  /** Bytes of a file of lines, or files of Parquet. */
  readonly size: number;
}

/** A file of one format, open at `Written`: what a killed process wrote after it is written over. */
export interface EventWriter {
  /** Returns what is written durably now, which may lag behind the pages. */
  readonly write: (page: ExportPage) => Promise<Written>;
  /** Everything is durable then. */
  readonly close: () => Promise<Written>;
}

/** Each page is durable when `write` returns. */
export const openLines = async (path: string, from: Written, format: ExportFormat): Promise<EventWriter> => {
  const encoder = await openEncoder(format);
  const file = await openAt(path, from.size);
  let written = from;
  const put = async (text: Uint8Array | string): Promise<void> => {
    if (text.length === 0) return;
    await file.append(text);
    await file.sync();
    written = { ...written, size: file.size() };
  };
  if (from.size === 0) await put(encoder.head);
  return {
    write: async (page) => {
      await put(await encoder.page(page));
      written = { ...written, events: written.events + page.events.length, position: page.position };
      return written;
    },
    close: async () => {
      await file.close();
      return written;
    },
  };
};

/** Least rows of a file but the last of a run: a killed process writes that many anew. */
const PART = 100_000;

/** A folder of files `part-000001.parquet` and so on: each has its name once it is whole. */
export const openParts = async (folder: string, from: Written): Promise<EventWriter> => {
  await mkdir(folder, { recursive: true });
  let written = from;
  let part: (ExportEncoder & { readonly file: OpenFile }) | null = null;
  let inPart = 0;
  let reached = from.position;
  const pathOf = (nth: number): string => join(folder, `part-${String(nth).padStart(6, '0')}.parquet`);
  const unfinished = (): string => `${pathOf(written.size + 1)}.tmp`;
  const finish = async (): Promise<void> => {
    let { size } = written;
    if (part !== null) {
      await part.file.append(await part.end());
      await part.file.sync();
      await part.file.close();
      size += 1;
      await rename(unfinished(), pathOf(size));
    }
    written = { events: written.events + inPart, position: reached, size };
    [part, inPart] = [null, 0];
  };
  return {
    write: async (page) => {
      if (page.events.length > 0) {
        part ??= { ...(await openEncoder('parquet')), file: await openAt(unfinished(), 0) };
        await part.file.append(await part.page(page));
        inPart += page.events.length;
      }
      reached = page.position;
      if (inPart >= PART) await finish();
      return written;
    },
    close: async () => {
      await finish();
      return written;
    },
  };
};

type OpenFile = Awaited<ReturnType<typeof openAt>>;

/** A file that is written from `size` on. */
const openAt = async (path: string, size: number) => {
  const file = await open(path, size === 0 ? 'w' : 'r+');
  await file.truncate(size);
  let end = size;
  return {
    size: (): number => end,
    append: async (text: Uint8Array | string): Promise<void> => {
      const bytes = Buffer.from(text as Uint8Array);
      for (let done = 0; done < bytes.length;)
        done += (await file.write(bytes, done, bytes.length - done, end + done)).bytesWritten;
      end += bytes.length;
    },
    sync: (): Promise<void> => file.datasync(),
    close: (): Promise<void> => file.close(),
  };
};
