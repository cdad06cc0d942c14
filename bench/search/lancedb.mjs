// LanceDB's full text index in a process of its own: BM25 over stemmed words, any of which may occur; the best with their texts.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Index } from '@lancedb/lancedb';
import { rateOf, readPassages, timed } from './rival-passages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'knowledger-bench-lancedb-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let table;

const sizeOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

const build = async ({ file, contents }) => {
  const passages = await readPassages(file, contents);
  const db = await connect(folder);
  // One column, as its index has no weights: a title counts as words of its text.
  const rows = passages.map(({ id, title, url, text }) => ({ id, title, url, text: `${title}\n${text}` }));
  table = await db.createTable('passage', rows);
  const begun = performance.now();
  await table.createIndex('text', {
    config: Index.fts({ stem: true, removeStopWords: true, language: 'English', withPosition: false }),
    replace: true,
  });
  const ms = performance.now() - begun;
  return { ms, contents: passages.length, bytes: sizeOf(join(folder, 'passage.lance', '_indices')) };
};

const ask = (question) =>
  table.search(question, 'fts', 'text').select(['id', 'title', 'url', 'text', '_score']).limit(20).toArray();

const answer = async (message) => {
  if (message.build) process.send(await build(message.build));
  else if (message.clients)
    process.send({ perSecond: await rateOf(message.questions, message.clients, message.ms, ask) });
  else process.send({ times: await timed(message.questions, ask) });
};
process.on('message', (message) => void answer(message));
process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
