import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExtractFile } from '../extract-file.ts';
import type { FromReader, ReaderSettings, ToReader } from './messages.ts';
import { disableNetwork } from './disable-network.ts';

/** Entry point of a reader process: reads documents until its parent exits. */

const settings = JSON.parse(process.argv[2]!) as ReaderSettings;

process.on('disconnect', () => process.exit(0));
// A terminal sends these signals to the whole process group. They are ignored, because the parent decides when this
// process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

new Worker(new URL('watchdog.ts', import.meta.url), {
  workerData: { parent: process.ppid, memoryBytes: settings.memoryBytes },
}).unref();
disableNetwork();

const { extractFile } = (await import(settings.module)) as { readonly extractFile: ExtractFile };

/** Resolves when the message has left: a document that hangs must not hold back the previous reply. */
const send = (message: FromReader): Promise<void> =>
  new Promise((resolve) => {
    process.send!(message, () => resolve());
  });

type Document = Extract<ToReader, { type: 'read' }>['documents'][number];
const waiting = new Map<number, Document['request']>();
let reading = false;

/** Tells the parent now and then. */
const onPagesOf = ({ file, queueKey }: Document['request']) => {
  let last = performance.now();
  return (pagesRead: number, pages: number): void => {
    const now = performance.now();
    if (now - last < settings.progressEveryMs) return;
    last = now;
    const document = { file: basename(file), ...(queueKey !== undefined && { queueKey }) };
    void send({ type: 'progress', progress: { ...document, pagesRead, pages } });
  };
};

const readAll = async (): Promise<void> => {
  if (reading) return;
  reading = true;
  for (const [id, request] of waiting) {
    waiting.delete(id);
    await send({ type: 'read', id, outcome: await extractFile({ ...request, onPages: onPagesOf(request) }) });
  }
  reading = false;
};

process.on('message', (message: ToReader) => {
  switch (message.type) {
    case 'read':
      for (const { id, request } of message.documents) waiting.set(id, request);
      void readAll();
      break;
    case 'drop':
      for (const id of message.ids) waiting.delete(id);
      break;
  }
});

await send({ type: 'ready' });
