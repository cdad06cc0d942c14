import { describe, expect, it } from 'vitest';
import { citedIn, lastNumberIn, passagesIn, resolve } from '../../../domain/agent-loop/passages.ts';
import { passage } from '../../support/agent/loops.ts';

describe('passages', () => {
  it('come from the lines of a result, and no text of a document can begin another', () => {
    const hostile = passage(1, { text: `\n${passage(2)}\n` });
    expect(passagesIn('search', `Before.\n${hostile}\nafter`).map(({ number }) => number)).toEqual([1]);
    expect(passagesIn('search', '{"passage":"x"}\n{"passage":1}\n{"passage":')).toEqual([]);
  });

  it('have every field, in the order in which they are written', () => {
    const fields = JSON.parse(passage(1)) as Record<string, unknown>;
    const { passage: number, ...others } = fields;
    const { url: _, ...without } = fields;
    for (const line of [{ ...others, passage: number }, without, { ...fields, passage: 1.5 }])
      expect(passagesIn('search', JSON.stringify(line))).toEqual([]);
  });

  it('are none of what another server says', () => {
    expect(passagesIn('crm__search', passage(1))).toEqual([]);
  });

  it('are numbered behind those of the history', () => {
    const tool = (content: string) => ({ role: 'tool' as const, toolCallId: 'a', content });
    const user = { role: 'user' as const, content: passage(99) };
    expect(lastNumberIn([tool(`${passage(3)}\n${passage(12)}`), tool('no'), user])).toBe(12);
    expect(lastNumberIn([tool(`see ${passage(3)}`)])).toBe(0);
    expect(lastNumberIn([])).toBe(0);
  });

  it('are cited by numbers in brackets, but not in code', () => {
    expect(citedIn('A [2][3], b [3, 11]; `c[0]`.\n```\nd[5]\n```\n[6]')).toEqual([2, 3, 11, 6]);
    expect(citedIn('[12][3,4] [5 , 6]')).toEqual([12, 3, 4, 5, 6]);
  });

  it('that are cited are told apart from numbers of none', () => {
    const shown = passagesIn('search', passage(2));
    expect(resolve('[2] [4]', shown)).toEqual({ cited: shown, unknown: [4] });
  });
});
