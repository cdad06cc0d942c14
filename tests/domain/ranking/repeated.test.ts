import { describe, expect, it } from 'vitest';
import { repeatedIn } from '../../../domain/ranking/fuse.ts';

const OPTION = 'Shows how many lines were changed.';
const hit = (page: string, ...texts: string[]) => ({ page, pieces: texts.map((text) => ({ text })) });
const repeatedOf = (...hits: ReturnType<typeof hit>[]): boolean[] => hits.map(repeatedIn((one) => one));

describe('a text is repeated', () => {
  it('from the third page on that has it', () => {
    const pages = ['log', 'diff', 'show', 'blame'].map((page) => hit(page, OPTION));
    expect(repeatedOf(...pages)).toEqual([false, false, true, true]);
  });

  it('by other pages, not by its own', () => {
    const hits = [hit('log', OPTION), hit('log', OPTION), hit('diff', OPTION), hit('log', OPTION)];
    expect(repeatedOf(...hits)).toEqual([false, false, false, false]);
  });

  it('where most of it is, by its length', () => {
    const more = 'Only this page says what else can be done with it, and how.';
    const before = [hit('log', OPTION), hit('diff', OPTION)];
    expect(repeatedOf(...before, hit('show', OPTION, more)).at(-1)).toBe(false);
    expect(repeatedOf(...before, hit('show', OPTION, 'Only this page says it.')).at(-1)).toBe(false);
    expect(repeatedOf(...before, hit('show', OPTION, 'Said here, once only')).at(-1)).toBe(true);
  });

  it('never by what is short, such as the name of an option', () => {
    const pages = ['log', 'diff', 'show'].map((page) => hit(page, '--stat'));
    expect(repeatedOf(...pages)).toEqual([false, false, false]);
    const long = (length: number) => ['log', 'diff', 'show'].map((page) => hit(page, 'b'.repeat(length)));
    expect([19, 20].map((length) => repeatedOf(...long(length)).at(-1))).toEqual([false, true]);
  });

  it('by three fifths of it', () => {
    const before = ['log', 'diff'].map((page) => hit(page, 'b'.repeat(30)));
    const repeated = [20, 21].map((more) => hit('show', 'b'.repeat(30), 'c'.repeat(more)));
    expect(repeated.map((one) => repeatedOf(...before, one).at(-1))).toEqual([true, false]);
  });
});
