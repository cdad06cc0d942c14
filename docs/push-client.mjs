// Feeds a folder into Knowledger: a push of your own, in 50 lines. What has gone since the last run is taken out.
//   KNOWLEDGER_API_KEY=kn_… node docs/push-client.mjs <name of the push> <folder>
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const [name, folder] = process.argv.slice(2);
const base = `${process.env.KNOWLEDGER_URL ?? 'http://127.0.0.1:3000'}/api/v1`;
const TYPES = {
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.html': 'text/html',
  '.pdf': 'application/pdf',
};

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

/** The push of this name with a job that is open: a new one, or the next job of the one that is there. */
const openJob = async () => {
  const { pushes } = await ask('GET', `/pushes?name=${encodeURIComponent(name)}`);
  const known = pushes.find((push) => push.name === name);
  if (known === undefined) return ask('POST', '/pushes', JSON.stringify({ name }));
  return ask('POST', `/pushes/${known.id}/jobs`, '{}');
};

const { id, job_id: job } = await openJob();
const place = (locator) => `/source-groups/${id}/sources/${encodeURIComponent(locator)}`;
const end = (how, body = {}) => ask('POST', `/pushes/${id}/jobs/${job}/${how}`, JSON.stringify(body));
const list = join(folder, '.pushed.json');
const before = JSON.parse(await readFile(list, 'utf8').catch(() => '[]'));
try {
  const names = (await readdir(folder, { recursive: true })).filter((file) => extname(file) in TYPES);
  for (const file of names) {
    const source = await ask('PUT', place(file), await readFile(join(folder, file)), TYPES[extname(file)]);
    console.log(source.status, file, source.error?.message ?? '');
  }
  for (const gone of before.filter((file) => !names.includes(file))) {
    await ask('DELETE', place(gone)).catch((error) => error.type === 'not_found' || Promise.reject(error));
    console.log('gone', gone);
  }
  await writeFile(list, JSON.stringify(names));
  console.log((await end('complete')).status);
} catch (error) {
  // A cancel shows as a refusal too: either way the job ends here.
  console.error((await end('fail', { error: { title: 'Feeder failed', message: error.message } })).status);
  process.exitCode = 1;
}
