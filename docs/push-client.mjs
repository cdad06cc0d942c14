// Feeds a folder into Knowledger: a push of your own. What has gone since the last run is taken out.
//   KNOWLEDGER_URL=http://127.0.0.1:3000 KNOWLEDGER_API_KEY=kn_… node docs/push-client.mjs <name of the push> <folder>
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
process.on('uncaughtException', (error) => process.exit(console.error(error.message) ?? 1));
const [name, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: push-client.mjs <name of the push> <folder>');
const base = `${process.env.KNOWLEDGER_URL ?? 'http://127.0.0.1:3000'}/api/v1`;
const TYPES = { '.md': 'text/markdown', '.txt': 'text/plain', '.pdf': 'application/pdf' };
/** Waits as long as the service asks, and throws what it refuses. */
const ask = async (method, path, body, type = 'application/json') => {
  for (;;) {
    const headers = { 'x-api-key': process.env.KNOWLEDGER_API_KEY, 'content-type': type };
    const request = { method, headers, body };
    const response = await fetch(base + path, request);
    const answer = await response.json();
    if (response.ok) return answer;
    const wait = Number(response.headers.get('retry-after') ?? 0);
    if (wait === 0) throw Object.assign(new Error(answer.error.message), answer.error);
    await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
  }
};
/** The push of this name with a job that is open: a new one, or the next of the one that is there. */
const openJob = async () => {
  const { pushes } = await ask('GET', `/pushes?name=${encodeURIComponent(name)}`);
  const known = pushes.find((push) => push.name === name);
  return ask('POST', known ? `/pushes/${known.id}/jobs` : '/pushes', JSON.stringify(known ? {} : { name }));
};
const { id, job_id: job } = await openJob();
const place = (locator) => `/source-groups/${id}/sources/${encodeURIComponent(locator)}`;
const end = (how, body = {}) => ask('POST', `/pushes/${id}/jobs/${job}/${how}`, JSON.stringify(body));
/** A refusal of one document leaves the job as it is. */
const ofOne = (error) => {
  if (!/^(invalid_request|unsupported_media_type|payload_too_large|not_found)$/.test(error.type)) throw error;
  return { status: 'refused', error };
};
const list = join(folder, '.pushed.json');
const before = JSON.parse(await readFile(list, 'utf8').catch(() => '[]'));
try {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES);
  const names = files.map((file) => relative(folder, join(file.parentPath, file.name)));
  // A run that breaks off leaves to the next one what it may have brought.
  await writeFile(list, JSON.stringify([...new Set([...before, ...names])]));
  for (const file of names) {
    const body = await readFile(join(folder, file));
    const { status, error } = await ask('PUT', place(file), body, TYPES[extname(file)]).catch(ofOne);
    console.log(status, file, error?.message ?? '');
  }
  for (const gone of before.filter((file) => !names.includes(file))) {
    await ask('DELETE', place(gone)).catch(ofOne);
    console.log('gone', gone);
  }
  await writeFile(list, JSON.stringify(names));
  console.log((await end('complete')).status);
} catch (error) {
  const { status } = await end('fail', { error: { title: 'Feeder failed', message: error.message } });
  throw Object.assign(error, { message: `${error.message} ${status}` });
}
