import { describe, expect, it } from 'vitest';
import { askedBy, termsWithNames, withAskingWordsAsMeant } from '../../../domain/answer/asked.ts';
import { nearestPages } from '../../../domain/answer/belonging.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');

describe('a question', () => {
  it.each([
    ['waht is a refspec', 'what is a refspec'],
    ['Hwo do I see it?', 'how do I see it?'],
    ['what dose git stash do', 'what does git stash do'],
    ['how dose it go', 'how does it go'],
    ['wich files are these', 'which files are these'],
  ])('is read with the words that ask as they were meant: %s', (typed, meant) => {
    expect(askedBy(typed)).toEqual(askedBy(meant));
    expect(withAskingWordsAsMeant(typed)).toBe(meant);
  });

  it.each([
    ['What is a refspec?', true],
    ['max columns', false],
    ['What  is a  refspec? ', true],
    ['refspec what this', false],
    ['refspec what is', true],
  ])('asks what something is: %s is %s', (question, is) => {
    expect(askedBy(question).isWhat).toBe(is);
  });

  it.each([
    ['What does the sweep of a log remove?', 'sweep log'],
    ['What did the sweep remove', 'sweep'],
    ['"What did the sweep remove?"', 'sweep'],
    ['What is the default size of a sweep?', 'sweep'],
    ['What is the default value?', 'default valu'],
  ])('is about its words but those that only ask: %s', (question, subject) => {
    expect([...askedBy(question).subject].toSorted()).toEqual(words(subject).toSorted());
  });
});

describe('the terms of a text', () => {
  it('have names as a whole, where they stand as a whole', () => {
    const of = (text: string) => termsWithNames(text, ['work_mem', 'a.b']);
    expect(of('Set work_mem twice, WORK_MEM')).toEqual(['work_mem', 'work_mem', 'set', 'twic']);
    expect(of('Set autovacuum_work_mem')).toEqual(['set', 'autovacuum', 'work', 'mem']);
    expect(of('Set work_mems, xwork_mem')).toEqual(['set', 'work', 'mem', 'xwork', 'mem']);
    expect(of('xwork_mem')).toEqual(['xwork', 'mem']);
    expect(of('work_mem.xwork_mem')).toEqual(['work_mem', 'xwork', 'mem']);
    expect(of('a.b.c xa.b a.b')).toContain('a.b');
    expect(termsWithNames('work_mem', [])).toEqual(['work', 'mem']);
  });
});

const on = (title: string, url?: string) => ({ title, text: 'any', ...(url !== undefined && { url }) });

describe('nearestPages', () => {
  it('names three pages in their order, each once however many passages it has', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) =>
      on(`Page ${name}`, `https://docs.example.com/${name}`),
    );
    expect(nearestPages([a!, a!, b!, a!, c!, d!])).toBe(
      '\n\nThe nearest pages:\n- Page a https://docs.example.com/a\n- Page b https://docs.example.com/b' +
        '\n- Page c https://docs.example.com/c',
    );
  });

  it('names a document without an address by its title, a page without a title by its address', () => {
    expect(nearestPages([on('Handbook'), on(' ', 'https://docs.example.com/'), on('', '')])).toBe(
      '\n\nThe nearest pages:\n- Handbook\n- https://docs.example.com/',
    );
  });

  it('is empty where there is no page', () => {
    expect(nearestPages([])).toBe('');
    expect(nearestPages([on('', '')])).toBe('');
  });
});
