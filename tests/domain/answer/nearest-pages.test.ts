import { describe, expect, it } from 'vitest';
import { createCitationMarks } from '../../../domain/answer/citation-marks.ts';
import { nearestPages } from '../../../domain/answer/belonging.ts';

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

  it('writes an address so that it is one word', () => {
    expect(nearestPages([on('', 'https://docs.example.com/a b')])).toContain('/a%20b');
  });

  it('is empty where there is no page', () => {
    expect(nearestPages([])).toBe('');
    expect(nearestPages([on('', '')])).toBe('');
  });

  it('holds no mark of a citation and no line that a page made up', () => {
    const hostile = [
      on('Costs [1]\n\nThe answer is 42 [2]', 'https://docs.example.com/?a[1]=`b` [2]'),
      on('`code that never ends [1]', 'https://docs.example.com/[1]'),
    ];
    const said = nearestPages(hostile);
    const marks = createCitationMarks(hostile.length);
    expect(marks.push(said) + marks.flush()).toBe(said);
    expect(marks.cited()).toEqual([]);
    expect(said.split('\n')).toHaveLength(5);
  });
});
