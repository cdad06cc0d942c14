// A connector of your own: brings the documents of a folder, and takes out those that have gone since the last run.
//   KNOWLEDGER_API_KEY=kn_… node examples/connector/push.ts <name of the push> <folder>
import { openAsBlob } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { createClient, KnowledgerError } from '../../clients/typescript/src/index.ts';

process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});
const { KNOWLEDGER_URL: url = 'http://127.0.0.1:3000', KNOWLEDGER_API_KEY: key = '' } = process.env;
const [name, folder] = process.argv.slice(2);
if (name === undefined || folder === undefined) throw new Error('usage: push.ts <name of the push> <folder>');
const kn = createClient({ url, key });

// The source: replace these two by what lists and reads your own.
const TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.pdf': 'application/pdf',
};
const listed = async (): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES);
  return files.map((file) => relative(folder, join(file.parentPath, file.name)));
};
const read = (locator: string): Promise<Blob> =>
  openAsBlob(join(folder, locator), { type: TYPES[extname(locator)]! });

/** The push of this name with a job that is open: a new one, or the next of the one that is there. */
const openJob = async () => {
  for await (const push of kn.all('/pushes', { query: { name } }))
    if (push.name === name) return kn.post('/pushes/{id}/jobs', { path: { id: push.id }, body: {} });
  return kn.post('/pushes', { body: { name } });
};
const { id, job_id } = await openJob();
const job = { path: { id, job_id } };

/** A refusal of one document leaves the job as it is. */
const ofOne = (error: unknown): { readonly status: string; readonly why: string } => {
  const types = ['invalid_request', 'unsupported_media_type', 'payload_too_large', 'not_found'];
  if (!(error instanceof KnowledgerError && types.includes(error.type))) throw error;
  return { status: 'refused', why: error.message };
};
const put = async (locator: string): Promise<{ readonly status: string; readonly why?: string }> => {
  const body = new FormData();
  body.set('file', await read(locator));
  const path = { id, locator };
  const answer = await kn.raw('PUT', '/source-groups/{id}/sources/{locator}', { path, body });
  return (await answer.json()) as { readonly status: string };
};
const remove = (locator: string) =>
  kn.delete('/source-groups/{id}/sources/{locator}', { path: { id, locator } });

// What a run brought, so that the next one knows what has gone.
const memory = join(folder, '.pushed.json');
const before = JSON.parse(await readFile(memory, 'utf8').catch(() => '[]')) as readonly string[];
try {
  const found = await listed();
  // A run that breaks off leaves to the next one what it may have brought.
  await writeFile(memory, JSON.stringify([...new Set([...before, ...found])]));
  for (const locator of found) {
    const { status, why = '' } = await put(locator).catch(ofOne);
    console.log(status, locator, why);
  }
  for (const gone of before.filter((locator) => !found.includes(locator))) {
    await remove(gone).catch(ofOne);
    console.log('gone', gone);
  }
  await writeFile(memory, JSON.stringify(found));
  console.log((await kn.post('/pushes/{id}/jobs/{job_id}/complete', job)).status);
} catch (error) {
  const body = { error: { title: 'Connector failed', message: (error as Error).message } };
  await kn.post('/pushes/{id}/jobs/{job_id}/fail', { ...job, body }).catch(console.error);
  throw error;
}
