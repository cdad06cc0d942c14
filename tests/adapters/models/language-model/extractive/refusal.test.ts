import { describe, expect, it } from 'vitest';
import { createExtractiveModel } from '../../../../../adapters/models/language-model/extractive/language-model.ts';
import type { ModelRequest } from '../../../../../application/ports/language-model.ts';
import { NO_ANSWER } from '../../../../../domain/answer/closest-passages.ts';
import { eventsOf, textOf } from '../../../contracts/language-model.ts';

const model = createExtractiveModel((text) => text.match(/\S+/g)?.length ?? 0);
const asking = async (content: string, more: Partial<ModelRequest> = {}) => {
  const passages = [
    { title: 'Falcons', url: 'https://birds.example.com/falcons', text: 'The falcon hunts birds in flight.' },
    { title: 'Owls', url: 'https://birds.example.com/owls', text: 'Owls hunt at night.' },
  ];
  const request: ModelRequest = { messages: [{ role: 'user', content }], passages, ...more };
  return eventsOf(model.stream(request, new AbortController().signal));
};
const PAGES =
  '\n\nThe nearest pages:\n- Falcons https://birds.example.com/falcons\n- Owls https://birds.example.com/owls';

describe('the extractive model', () => {
  it('says that nothing answers the question, and names the nearest pages', async () => {
    expect(await asking('Which currency does Mongolia use?')).toEqual([
      { kind: 'delta', text: NO_ANSWER },
      { kind: 'delta', text: PAGES },
      { kind: 'finish', reason: 'stop', usage: null },
    ]);
  });

  it('answers the question as its passages were found for it, whatever was typed', async () => {
    expect(textOf(await asking('Waht deos the flaocn?'))).toContain(NO_ANSWER);
    const question = 'What does the falcon hunt?';
    expect(textOf(await asking('What does the flaocn hunt?', { question }))).toContain(
      'hunts birds in flight',
    );
  });

  it('says that its passages are weak where they hold little of the rare words', async () => {
    const question = 'Do owls really hunt a gizmo at night?';
    const rarities = ['owls', 'hunt', 'night'].map((word) => ({ word, rarity: 0.1 }));
    expect(textOf(await asking(question, { rarities }))).toMatch(/^Closest passages:/);
    const withGizmo = [...rarities, { word: 'gizmo', rarity: 1 }];
    const weak = textOf(await asking(question, { rarities: withGizmo }));
    expect(weak).toMatch(/^No page seems to answer this\. Closest passages:/);
    expect(weak).toContain('Owls hunt at night.');
  });

  it('refuses where no content has any word of the question', async () => {
    const rarities = [{ word: 'owls', rarity: 1 }];
    expect(textOf(await asking('owls', { rarities }))).toContain(NO_ANSWER);
  });

  it('names no pages behind an answer, nor where no sources are wanted, nor where there are none', async () => {
    expect(textOf(await asking('What does the falcon hunt?'))).not.toContain('nearest pages');
    expect(textOf(await asking('Which currency does Mongolia use?', { cite: false }))).toBe(NO_ANSWER);
    expect(textOf(await asking('Which currency does Mongolia use?', { passages: [] }))).toBe(NO_ANSWER);
  });

  it('reads the first 4,000 characters of a question alone', async () => {
    const padded = (length: number, then: string) => `${'.'.repeat(length - 1)} ${then}`;
    const question = 'What does the falcon hunt?';
    expect(textOf(await asking(padded(3_000, question)))).toContain('hunts birds in flight');
    expect(textOf(await asking(padded(4_000, question)))).not.toContain('hunts birds in flight');
  });

  it('leaves the pages out where the tokens end before them', async () => {
    const events = await asking('Which currency does Mongolia use?', { maxOutputTokens: 8 });
    expect(textOf(events)).toBe(NO_ANSWER);
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
  });

  it('begins its first words where there are tokens for no more', async () => {
    const events = await asking('What does the falcon hunt?', { maxOutputTokens: 1 });
    expect(textOf(events)).toBe('Closest');
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
    expect(textOf(await asking('What does the falcon hunt?', { maxOutputTokens: 0 }))).toBe('Closest');
  });
});
