import { readCollection } from './collection.ts';
import { measureCollection } from './measure-collection.ts';
import { mean, measure, percentile } from './measures.ts';
import { EvalUsageError } from './questions.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const folders: string[] = [];
const folderWith = async (files: { readonly [name: string]: string }): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-collection-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe('measure', () => {
  it('is 1 for a perfect ranking', () => {
    expect(measure(['a', 'b', 'x'], new Set(['a', 'b']))).toEqual({ ndcg10: 1, map: 1, recall100: 1 });
  });

  it('counts what was not found against the ranking', () => {
    const { ndcg10, map, recall100 } = measure(['x', 'a'], new Set(['a', 'b']));
    expect(ndcg10).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 12);
    expect(map).toBeCloseTo(0.25, 12);
    expect(recall100).toBe(0.5);
    expect(measure([], new Set(['a']))).toEqual({ ndcg10: 0, map: 0, recall100: 0 });
  });

  it('looks at ten places for gain, a hundred for recall, and all for precision', () => {
    const ranking = [...Array.from({ length: 100 }, (_, i) => `x${i}`), 'a'];
    expect(measure(ranking, new Set(['a']))).toEqual({ ndcg10: 0, map: 1 / 101, recall100: 0 });
  });

  it('is averaged over queries', () => {
    const all = [measure(['a'], new Set(['a'])), measure([], new Set(['a']))];
    expect(mean(all)).toEqual({ ndcg10: 0.5, map: 0.5, recall100: 0.5 });
    expect([percentile([3, 1, 2], 0.5), percentile([1], 0.95), percentile([], 0.5)]).toEqual([2, 1, 0]);
  });
});

describe('readCollection', () => {
  it('reads TREC XML, and queries by their place where judgements do not know their numbers', async () => {
    const folder = await folderWith({
      'x.all.xml':
        '<doc>\n<docno>7</docno>\n<title>T\n</title><text>one\ntwo</text></doc><doc><docno>8</docno></doc>',
      'x.qry.xml':
        '<top><num> 11</num><title>\nfirst</title></top><top><num>13</num><title>second</title></top>',
      'xqrel.trec.txt': '1 0 7 1\n1 0 8 -1\n2 0 8 0\n',
    });
    const { documents, queries, relevant } = await readCollection(folder);
    expect(documents).toEqual([
      { id: '7', title: 'T', text: 'one\ntwo' },
      { id: '8', title: '', text: '' },
    ]);
    expect(queries).toEqual([{ id: '1', text: 'first' }]);
    expect([...relevant]).toEqual([['1', new Set(['7'])]]);
  });

  it('reads SMART files, with authors', async () => {
    const folder = await folderWith({
      'x.all': '.I 1\n.T\nTitle\n.W\nText\n.A\nAuthor, A.\n.X\n1 5 1\n.I 2\n.T\nOther\n',
      'query.text': '.I 1\n.W\n a question\n.A\nAuthor\n.N\n note\n.I 2\n.W\nunjudged\n',
      'qrels.text': '01 0002 0 0\n',
    });
    const { documents, queries, relevant } = await readCollection(folder);
    expect(documents).toEqual([
      { id: '1', title: 'Title', text: 'Text\nAuthor, A.' },
      { id: '2', title: 'Other', text: '' },
    ]);
    expect(queries).toEqual([{ id: '1', text: 'a question\nAuthor' }]);
    expect([...relevant]).toEqual([['1', new Set(['2'])]]);
  });

  it('says which file it misses', async () => {
    await expect(readCollection(await folderWith({ 'x.all': '' }))).rejects.toThrow(/no file like qrel/);
  });
});

describe('the options of a test collection', () => {
  it.each([
    [['--modes', 'words'], /words is none of keyword, vector, hybrid/],
    [['--modes', 'keyword,vector'], /vector needs vectors/],
    [['--embeddings', 'http://127.0.0.1:1'], /give both/],
    [['--embeddings-model', 'm'], /give both/],
  ])('that do not fit are refused with what to write instead: %j', async (options, message) => {
    const measured = measureCollection(['nowhere', ...options], () => {});
    await expect(measured).rejects.toThrow(EvalUsageError);
    await expect(measureCollection(['nowhere', ...options], () => {})).rejects.toThrow(message);
  });
});
