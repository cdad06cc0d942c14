import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { chunkDocument } from '../../../domain/chunking/chunk-document.ts';
import { splitSections } from '../../../domain/chunking/sections.ts';
import { countQuarters, inkOf, units } from './arbitrary-text.ts';

const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const small = { maxTokens: 40, overlapTokens: 8, minTokens: 10 };
const chunk = (document: readonly TextUnit[], limits = small) =>
  chunkDocument(document, { count: countQuarters, hash, limits });
const unit = (path: string[], text: string, pageNumber = 0): TextUnit => ({
  headingPath: path,
  pageNumber,
  text,
});
const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, index) => `${seed}${index}`).join(' ');

describe('chunkDocument', () => {
  it('loses no text of any unit', () => {
    fc.assert(
      fc.property(units, (document) => {
        const pieces = splitSections(document, countQuarters, small).flatMap((section) => section.pieces);
        const joined = pieces.map((piece) => piece.text.slice(piece.overlap)).join('');
        // oxlint-disable-next-line no-control-regex -- normalised away, as a store refuses them
        const given = document.map((part) => part.text.toWellFormed().replaceAll(/[\0-\x1f\x7f\x85]/g, ' '));
        expect(inkOf(joined)).toBe(inkOf(given.join('')));
      }),
    );
  });

  it('is deterministic, stays under the limit, and numbers equal texts from 0', () => {
    fc.assert(
      fc.property(units, (document) => {
        const chunks = chunk(document);
        expect(chunk(document)).toEqual(chunks);
        for (const { tokenCount, text, textHash } of chunks) {
          expect(tokenCount).toBeLessThanOrEqual(small.maxTokens);
          expect(textHash).toBe(hash(text));
        }
        const keys = chunks.map(({ textHash, occurrence }) => `${textHash} ${occurrence}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { textHash, occurrence } of chunks) {
          expect(occurrence === 0 || keys.includes(`${textHash} ${occurrence - 1}`)).toBe(true);
        }
      }),
    );
  });

  it('keeps the hashes of all other sections when one section of ordinary size changes', () => {
    const section = fc.nat(200).map((extra) => words(20 + extra, 'w'));
    fc.assert(
      fc.property(fc.array(section, { minLength: 2, maxLength: 6 }), fc.nat(), section, (texts, at, text) => {
        const changed = at % texts.length;
        const before = texts.map((body, index) => unit([`Section ${index}`], `${index} ${body}`));
        const after = before.with(changed, unit([`Section ${changed}`], `new ${text}`));
        const others = (document: TextUnit[]): string[] =>
          chunk(document)
            .filter((entry) => entry.headingPath[0] !== `Section ${changed}`)
            .map((entry) => entry.textHash);
        expect(others(after)).toEqual(others(before));
      }),
    );
  });

  it('lets no chunk cross a heading or a page', () => {
    const chunks = chunk([
      unit(['A'], words(30, 'a'), 1),
      unit(['A'], words(30, 'b'), 2),
      unit(['B'], words(30, 'c'), 2),
    ]);
    const kinds = chunks.map(({ text, headingPath, pageNumber }) => [
      [...new Set(text.match(/[abc]/g))].join(''),
      headingPath[0],
      pageNumber,
    ]);
    expect(new Set(kinds.map(String))).toEqual(new Set(['a,A,1', 'b,A,2', 'c,B,2']));
  });
});

describe('tiny sections', () => {
  const paths = (document: TextUnit[]) => chunk(document).map(({ headingPath }) => headingPath);

  it('stop joining once they are large enough', () => {
    const document = ['a', 'b', 'c', 'd'].map((name) => unit(['T', name], words(6, 'word')));
    expect(chunk(document).map(({ text }) => text.split(/\s+/).length)).toEqual([12, 12]);
  });

  it('are those below the least number of tokens, and none of that number', () => {
    const joined = (tokens: number) =>
      paths([unit(['T', 'a'], 'x'.repeat(4 * tokens)), unit(['T', 'b'], 'one')]);
    expect(joined(small.minTokens - 1)).toEqual([['T']]);
    expect(joined(small.minTokens)).toEqual([
      ['T', 'a'],
      ['T', 'b'],
    ]);
  });

  it('lose nothing of a section that is large and whose first chunk is not', () => {
    const document = [unit(['T', 'a'], words(60, 'w')), unit(['T', 'b'], 'one')];
    const texts = chunk(document, { maxTokens: 40, overlapTokens: 0, minTokens: 40 }).map(({ text }) => text);
    expect(inkOf(texts.join(''))).toBe(inkOf(`${words(60, 'w')}one`));
  });

  it('count as one section if adjacent units share path and page', () => {
    expect(chunk([unit(['T'], 'one'), unit(['T'], ' '), unit(['T'], 'two')])).toMatchObject([
      { text: 'one\n\ntwo', headingPath: ['T'] },
    ]);
    const sized = (path: string[], seed: string, page = 0) => unit(path, words(12, seed), page);
    expect(chunk([sized(['T'], 'a'), sized(['T'], 'b')])).toMatchObject([
      { text: `${words(12, 'a')}\n\n${words(12, 'b')}` },
    ]);
    expect(paths([sized(['T', 'b'], 'a'), sized(['T'], 'b')])).toEqual([['T', 'b'], ['T']]);
    expect(paths([sized(['T'], 'a', 1), sized(['T'], 'b', 2)])).toHaveLength(2);
  });
});

describe('units with lines', () => {
  const code = (path: string[], text: string, first: number, last: number): TextUnit => ({
    ...unit(path, text),
    lines: { first, last },
  });
  const linesOf = (document: readonly TextUnit[]) => chunk(document).map(({ lines }) => lines);

  it('join as other tiny ones do, and have the lines of all', () => {
    expect(linesOf([code(['f'], 'one', 1, 2), code(['g'], 'two', 4, 5)])).toEqual([{ first: 1, last: 5 }]);
    const [one, two] = [code(['f'], 'one', 1, 2), code(['f'], 'two', 4, 5)];
    expect(chunk([one, two])).toMatchObject([{ headingPath: ['f'], lines: { first: 1, last: 5 } }]);
  });

  it('never join one without lines, and those of one path stay apart where they are not tiny', () => {
    expect(linesOf([code(['f'], 'one', 1, 2), unit(['g'], 'two')])).toEqual([
      { first: 1, last: 2 },
      undefined,
    ]);
    const [a, b] = [code(['f'], words(12, 'a'), 1, 4), code(['f'], words(12, 'b'), 5, 8)];
    expect(linesOf([a, b])).toEqual([a.lines, b.lines]);
    const plain = unit(['f'], words(12, 'b'));
    expect(linesOf([a, plain])).toEqual([a.lines, undefined]);
    expect(linesOf([plain, a])).toEqual([undefined, a.lines]);
  });
});

describe('units that are rows', () => {
  const city = { key: 'city', val: 'Ulm', type: 'string' } as const;
  const row = (text: string, metadata: NonNullable<TextUnit['metadata']> = [city]): TextUnit => ({
    ...unit(['T'], text),
    metadata,
  });

  it('stay by themselves, and each of their chunks has all their fields', () => {
    const sentences = Array.from({ length: 20 }, (_, i) => `Sentence ${i} of this row.`).join(' ');
    const chunks = chunk([unit(['T'], 'one'), row('two'), row('three', []), unit(['T'], 'four')]);
    expect(chunks.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['one', undefined],
      ['two', [city]],
      ['three', []],
      ['four', undefined],
    ]);
    expect(chunks.map((one) => Object.hasOwn(one, 'metadata'))).toEqual([false, true, true, false]);
    expect(chunks.every((one) => !Object.hasOwn(one, 'lines'))).toBe(true);
    const long = chunk([row(sentences)]);
    expect(long.length).toBeGreaterThan(2);
    expect(long.map(({ metadata }) => metadata)).toEqual(long.map(() => [city]));
  });

  it('repeat nothing from one chunk to the next, as other units do', () => {
    const sentences = Array.from({ length: 20 }, (_, i) => `Sentence ${i} of this row.`).join(' ');
    const joined = (document: TextUnit) =>
      chunk([document])
        .map(({ text }) => text)
        .join(' ');
    expect(joined(row(sentences))).toBe(sentences);
    expect(joined(unit(['T'], sentences))).not.toBe(sentences);
  });
});
