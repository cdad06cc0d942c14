import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentChanges, replaceContents } from '../../../application/read-models/source-contents.ts';

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const chunk = (text: string, occurrence = 0, headingPath: readonly string[] = [], pageNumber = 0) => ({
  text,
  headingPath,
  pageNumber,
  tokenCount: 1,
  textHash: createHash('sha256').update(text).digest('hex'),
  occurrence,
});
const version = (at: number, chunks: readonly ReturnType<typeof chunk>[], title = 'T') => ({
  sourceId: 'source',
  title,
  chunks,
  at,
});
const first = replaceContents([], version(5_999, [chunk('a'), chunk('b'), chunk('b', 1)]), digest);

describe('replaceContents', () => {
  it('gives each chunk an id of its own and the time in whole seconds', () => {
    expect(first.map(({ ord, timestamp }) => [ord, timestamp])).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
    ]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(3);
  });

  it('keeps id and time of a text, and its label under the same title and headings', () => {
    const second = replaceContents(
      first,
      version(9_000, [chunk('new'), chunk('b', 0, ['H']), chunk('a')]),
      digest,
    );
    expect(second.map(({ timestamp }) => timestamp)).toEqual([9, 5, 5]);
    expect(second[2]).toMatchObject({ id: first[0]?.id, label: first[0]?.label });
    expect(second[1]?.id).toBe(first[1]?.id);
    expect(second[1]?.label).not.toBe(first[1]?.label);
  });

  it('takes the first of two chunks that claim to be the same', () => {
    expect(replaceContents([], version(0, [chunk('a'), chunk('a')]), digest)).toHaveLength(1);
  });
});

describe('contentChanges', () => {
  it('is nothing between equal contents', () => {
    const again = replaceContents(first, version(7_000, [chunk('a'), chunk('b'), chunk('b', 1)]), digest);
    expect(contentChanges(first, again)).toEqual({ gone: [], moved: [], fresh: [] });
  });

  it('is a move where only the lines are others', () => {
    const at = (line: number) => [{ ...chunk('a'), lines: { first: line, last: line + 2 } }];
    const before = replaceContents([], version(5_999, at(3)), digest);
    const same = replaceContents(before, version(7_000, at(3)), digest);
    const after = replaceContents(before, version(7_000, at(4)), digest);
    expect(contentChanges(before, same).moved).toEqual([]);
    expect(contentChanges(before, after)).toEqual({
      gone: [],
      moved: [{ before: before[0], after: after[0] }],
      fresh: [],
    });
  });

  it('tells apart what goes, what moves, and what is indexed anew', () => {
    const after = replaceContents(
      first,
      version(9_000, [chunk('b', 0, [], 3), chunk('a', 0, ['H']), chunk('c')]),
      digest,
    );
    const { gone, moved, fresh } = contentChanges(first, after);
    expect(gone).toEqual([first[0], first[2]]);
    expect(moved).toEqual([{ before: first[1], after: after[0] }]);
    expect(fresh).toEqual([after[1], after[2]]);
  });
});
