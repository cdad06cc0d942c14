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

const thoughtOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.kind === 'reasoning' ? event.text : '')).join('');

describe('the thoughts of a reasoning model', () => {
  it.each([
    ['<think>\nsecret [1]\n</think>\n\nRiga [1].', 'secret [1]\n', 'Riga [1].'],
    [' \n<THINK>a</Think><think>\n\n</think> Riga.', 'a', 'Riga.'],
    ['<think>İİİ 🙂 </tab> <</think>Riga.', 'İİİ 🙂 </tab> <', 'Riga.'],
    ['<thinking>a < b</thinking>Riga.', 'a < b', 'Riga.'],
    ['<thought>a</thought>\nRiga.', 'a', 'Riga.'],
    ['[THINK]a[/THINK]Riga.', 'a', 'Riga.'],
    ['◁think▷a◁/think▷Riga.', 'a', 'Riga.'],
    ['<think>never ended</thin', 'never ended</thin', ''],
    ['<think>a</think>', 'a', ''],
    ['Models write <think>a</think> first.', '', 'Models write <think>a</think> first.'],
    ['<thin', '', '<thin'],
    ['  indented', '', '  indented'],
    ['<table>', '', '<table>'],
  ])('are told apart from its answer, however it is cut: %j', async (whole, thought, answer) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 4 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
        const events = await said(pieces);
        expect(textOf([...events])).toBe(answer);
        expect(thoughtOf(events)).toBe(thought);
        expect(events.every((event) => !('text' in event) || event.text.isWellFormed())).toBe(true);
        expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
      }),
      { numRuns: 8 },
    );
  });

  it('come as they are made, also where the limit of tokens ends them', async () => {
    expect(await said(['<think>I think', ' and think'], 'length')).toEqual([
      { kind: 'reasoning', text: 'I think' },
      { kind: 'reasoning', text: ' and think' },
      { kind: 'finish', reason: 'length', usage: null },
    ]);
  });

  describe('whose opening mark was in the prompt', () => {
    it.each([
      ['secret [1]\n</think>\n\nRiga [1].', 'secret [1]\n', 'Riga [1].'],
      ['secret</think>Riga.', 'secret', 'Riga.'],
      ['secret\n[/THINK]\nRiga.', 'secret\n', 'Riga.'],
      ['A thought ends with `</think>`.', '', 'A thought ends with `</think>`.'],
      ['Riga, [1].', '', 'Riga, [1].'],
    ])('are no part of the first answer: %j', async (whole, thought, answer) => {
      const pieces = Array.from({ length: Math.ceil(whole.length / 3) }, (_, i) =>
        whole.slice(i * 3, i * 3 + 3),
      );
      const events = await said(pieces);
      expect([thoughtOf(events), textOf([...events])]).toEqual([thought, answer]);
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
      const cut = await ask();
      expect([thoughtOf(cut), textOf(cut)]).toEqual(['I think', '']);
    });
  });

  it('hold nothing back where the server tells them apart', async () => {
    const { ask, provider } = await open(openAiInterface, { beginning: 'unknown' });
    const pieces = [{ reasoning_content: 'Hm' }, { content: 'Ri' }, { content: 'ga.' }].map((one) =>
      chunk(one),
    );
    provider.next.push(raw([...pieces, chunk({}, 'stop'), DONE]));
    expect((await ask()).slice(0, -1)).toEqual([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'delta', text: 'Ri' },
      { kind: 'delta', text: 'ga.' },
    ]);
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'Hm.', content: null }],
    ['reasoning', { reasoning: 'Hm.', content: '' }],
    ['two fields at once', { reasoning: 'Hm.', reasoning_content: 'Hm.' }],
    ['details beside', { reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }],
    ['details alone', { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }],
    ['a part of the content', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }],
  ])('are understood in %s', async (_name, delta) => {
    const { ask, provider } = await open(openAiInterface);
    provider.next.push(raw([chunk(delta), chunk({ content: 'Riga.' }, 'stop'), DONE]));
    expect((await ask()).slice(0, -1)).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'delta', text: 'Riga.' },
    ]);
  });
});
