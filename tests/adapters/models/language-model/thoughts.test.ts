import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../application/ports/language-model.ts';
import { chunk, DONE, raw } from '../../../support/model-provider.ts';
import { openAiInterface } from '../../../support/model-interfaces/openai.ts';
import { textOf } from '../../contracts/language-model.ts';
import { open } from './open-model.ts';

const said = async (pieces: readonly string[], finish = 'stop'): Promise<readonly ModelEvent[]> => {
  const { ask, provider } = await open(openAiInterface, { beginning: 'unknown' });
  provider.next.push(raw([...pieces.map((content) => chunk({ content })), chunk({}, finish), DONE]));
  return ask();
};

describe('the thoughts of a reasoning model', () => {
  it.each([
    ['<think>\nsecret [1]\n</think>\n\nRiga [1].', 'Riga [1].'],
    [' \n<THINK>a</Think><think></think> Riga.', 'Riga.'],
    ['<thinking>a < b</thinking>Riga.', 'Riga.'],
    ['<thought>a</thought>\nRiga.', 'Riga.'],
    ['[THINK]a[/THINK]Riga.', 'Riga.'],
    ['◁think▷a◁/think▷Riga.', 'Riga.'],
    ['<think>never ended', ''],
    ['<think>a</think>', ''],
    ['Models write <think>a</think> first.', 'Models write <think>a</think> first.'],
    ['<thin', '<thin'],
    ['  indented', '  indented'],
    ['<table>', '<table>'],
  ])('are no part of its answer, however it is cut: %j', async (whole, answer) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 4 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
        const events = await said(pieces);
        expect(textOf([...events])).toBe(answer);
        expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
      }),
      { numRuns: 8 },
    );
  });

  it('are not shown where the limit of tokens ended them', async () => {
    expect(await said(['<think>I think', ' and think'], 'length')).toEqual([
      { kind: 'finish', reason: 'length', usage: null },
    ]);
  });

  describe('whose opening mark was in the prompt', () => {
    it.each([
      ['secret [1]\n</think>\n\nRiga [1].', 'Riga [1].'],
      ['secret</think>Riga.', 'Riga.'],
      ['secret\n[/THINK]\nRiga.', 'Riga.'],
      ['A thought ends with `</think>`.', 'A thought ends with `</think>`.'],
      ['Riga, [1].', 'Riga, [1].'],
    ])('are no part of the first answer: %j', async (whole, answer) => {
      const pieces = Array.from({ length: Math.ceil(whole.length / 3) }, (_, i) =>
        whole.slice(i * 3, i * 3 + 3),
      );
      expect(textOf([...(await said(pieces))])).toBe(answer);
    });

    it('are held back once one of them was seen, also where the limit cut them, and else nothing is', async () => {
      const { ask, provider } = await open(openAiInterface, { beginning: 'unknown' });
      const answer = async (...contents: readonly string[]): Promise<readonly string[]> => {
        provider.next.push(raw([...contents.map((content) => chunk({ content })), chunk({}, 'stop'), DONE]));
        return (await ask()).flatMap((event) => (event.kind === 'delta' ? [event.text] : []));
      };
      expect(await answer('Ri', 'ga.')).toEqual(['Riga.']);
      expect(await answer('Ri', 'ga.')).toEqual(['Ri', 'ga.']);
      await answer('I th', 'ink</thi', 'nk>Riga.');
      expect(await answer('I think', '</think>', 'Ri', 'ga.')).toEqual(['Ri', 'ga.']);
      provider.next.push(raw([chunk({ content: 'I think' }), chunk({}, 'length'), DONE]));
      expect(textOf(await ask())).toBe('');
    });
  });
});
