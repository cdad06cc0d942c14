// SQLite's FTS5 in a process of its own: BM25 over stemmed words, any of which may occur; the best with their texts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rateOf, readPassages, timed } from './rival-passages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'knowledger-bench-fts5-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const db = new DatabaseSync(join(folder, 'index.db'));
db.exec(`pragma journal_mode = wal; pragma cache_size = -262144;
  create table passage (id integer primary key, title text, url text, text text);
  create virtual table words using fts5(title, text, content='passage', content_rowid='id', tokenize='porter unicode61')`);
const bytes = () => {
  db.exec('pragma wal_checkpoint(truncate)');
  return db.prepare('select page_count * page_size as n from pragma_page_count(), pragma_page_size()').get()
    .n;
};

const build = async ({ file, contents }) => {
  const passages = await readPassages(file, contents);
  const insert = db.prepare('insert into passage values (?, ?, ?, ?)');
  db.exec('begin');
  for (const { id, title, url, text } of passages) insert.run(id, title, url, text);
  db.exec('commit');
  const before = bytes();
  const begun = performance.now();
  db.exec("insert into words(words) values ('rebuild'); insert into words(words) values ('optimize')");
  const ms = performance.now() - begun;
  return { ms, contents: passages.length, bytes: bytes() - before };
};

let select;
const ask = (question) => {
  select ??= db.prepare(`select p.id, p.title, p.url, p.text, bm25(words) as score from words
    join passage p on p.id = words.rowid where words match ? order by bm25(words) limit 20`);
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  return select.all(words.map((word) => `"${word}"`).join(' OR '));
};

const answer = async (message) => {
  if (message.build) process.send(await build(message.build));
  else if (message.clients)
    process.send({
      perSecond: await rateOf(message.questions, message.clients, message.ms, async (q) => ask(q)),
    });
  else process.send({ times: await timed(message.questions, ask) });
};
process.on('message', (message) => void answer(message));
process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
