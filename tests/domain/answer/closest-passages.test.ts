import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCitationMarks } from '../../../domain/answer/citation-marks.ts';
import { answerPieces, closestPassages, NO_ANSWER } from '../../../domain/answer/closest-passages.ts';

const FILLER = 'Nothing of interest is told in this sentence, which only takes some room.';
const passage = (text: string, title = 'Manual') => ({ title, text, url: `https://a.example/${title}` });
const partsOf = (question: string, ...texts: readonly string[]) =>
  closestPassages(
    question,
    texts.map((text) => passage(text)),
  ).passages;

describe('the closest passages', () => {
  it('are at most three, the best first, with the numbers of their passages', () => {
    const texts = ['The reel.', 'The reel winds a tape.', 'The tape.', 'The reel winds.', 'Nothing.'];
    const parts = partsOf('How does a reel wind a tape?', ...texts);
    expect(parts.map(({ citation }) => citation)).toEqual([2, 4, 1]);
  });

  it('show a text once, however many pages have it', () => {
    const parts = partsOf('reel tape', 'The reel winds a tape.', 'The reel winds a tape.', 'The reel.');
    expect(parts.map(({ citation }) => citation)).toEqual([1, 3]);
  });

  it('are cut around the best sentences, at most 600 characters, verbatim', () => {
    const text = [
      ...Array<string>(20).fill(FILLER),
      'A reel winds the tape.',
      ...Array<string>(20).fill(FILLER),
    ].join(' ');
    const [part] = partsOf('What winds the tape?', text);
    expect(part!.text).toContain('A reel winds the tape.');
    expect(part!.text.length).toBeLessThanOrEqual(600 + 10);
    expect(text).toContain(part!.text);
  });

  it('stand under the title and their headings; a heading is no sentence', () => {
    const text = `Reels\n\n${FILLER}\n\n2.1 Winding\n\nThe tape is wound by hand.`;
    const [part] = closestPassages('How is tape wound?', [passage(text, 'Machines')]).passages;
    const answer = answerPieces({ passages: [part!], isWeak: false }, []).join('');
    expect(part!.path[0]).toBe('Machines');
    expect(answer).toContain('The tape is wound by hand.');
    expect(answer).toMatch(/\*\*[^*]*2\.1 Winding\*\*/);
  });

  it('stand under the term that they define', () => {
    const [part] = partsOf(
      'What is winding_speed?',
      'reel ¶\n\nHolds.\n\nwinding_speed ¶\n\nTurns in a second.',
    );
    expect(part!.text + part!.path.join(' ')).toContain('winding_speed');
    expect(part!.text).not.toContain('¶');
  });

  it.each([
    [
      'a list',
      ['1. Open the reel.', ...Array.from({ length: 12 }, (_, i) => `${i + 2}. ${FILLER}`)].join('\n'),
    ],
    ['a table', ['reel | tape', ...Array.from({ length: 12 }, (_, i) => `${i} | ${FILLER}`)].join('\n')],
    ['fenced code', `\`\`\`\nreel --open\n\n${`${FILLER}\n`.repeat(12)}\`\`\``],
  ])('keep %s whole', (_, block) => {
    const [part] = partsOf('How do I open the reel?', `${FILLER} ${FILLER}\n\n${block}\n\n${FILLER}`);
    expect(part!.text).toContain(block);
  });

  it('fence code that is only indented', () => {
    const [part] = partsOf('reel command', 'Type this command:\n\n    reel --open [1]\n    reel --close');
    expect(part!.text).toBe('Type this command:\n\n```\n    reel --open [1]\n    reel --close\n```');
  });

  it('fence code whose beginning or end another passage has', () => {
    const [begun] = partsOf('reel', 'Type:\n\n```sh\nreel --open\nreel --close');
    expect(begun!.text).toBe('Type:\n\n```sh\nreel --open\nreel --close\n```');
    const [ended] = partsOf('reel', 'reel --open\nreel --close\n```\n\nNothing else.');
    expect(ended!.text).toBe('```\nreel --open\nreel --close\n```\n\nNothing else.');
    const [middle] = partsOf('reel', 'reel --open\n    reel --wind\n    reel --close');
    expect(middle!.text).toBe('```\nreel --open\n    reel --wind\n    reel --close\n```');
  });

  it('are weak where they hold little of the rare words, and strong where they hold them', () => {
    const passages = [passage('Owls hunt mice at night.')];
    const common = ['owls', 'hunt', 'night'].map((word) => ({ word, rarity: 0.1 }));
    const question = 'Do owls hunt a gizmo at night?';
    expect(closestPassages(question, passages, common).isWeak).toBe(false);
    const found = closestPassages(question, passages, [...common, { word: 'gizmo', rarity: 1 }]);
    expect(found.isWeak).toBe(true);
    expect(found.passages).toHaveLength(1);
  });

  it('are shown, as weak, where the search found the words in forms that differ from those of the question', () => {
    const passages = [passage('Сокол летает над рекой.'), passage('Соколу нужна река.')];
    const rarities = ['соколы', 'летают'].map((word) => ({ word, rarity: 0.6 }));
    const found = closestPassages('Где соколы летают?', passages, rarities);
    expect(found.passages.map(({ citation }) => citation)).toEqual([1, 2]);
    expect(found.isWeak).toBe(true);
  });

  it.each([
    ['of stop words', 'What is it and why?', []],
    ['of words that no content has', 'gizmo', [{ word: 'gizmo', rarity: 1 }]],
    ['that no passage has anything of', 'falcon', []],
  ])('are none for a question %s', (_, question, rarities) => {
    const passages = [passage('The reel winds a gizmo.'.replace('gizmo', 'tape'), 'Reels')];
    const found = closestPassages(question, passages, rarities);
    expect(found.passages).toEqual([]);
    expect(answerPieces(found, passages)).toEqual([
      NO_ANSWER,
      '\n\nThe nearest pages:\n- Reels https://a.example/Reels',
    ]);
    expect(answerPieces(found, passages, false)).toEqual([NO_ANSWER]);
  });

  it('cite each passage once, whatever the texts hold that looks like a citation or like code', () => {
    const unit = fc.constantFrom(
      '[1]',
      '[2, 3]',
      '【1†a】',
      '[^2]',
      '[citation:1]',
      '`',
      '```',
      'reel',
      ' ',
      '\n',
      '\n\n',
      '. ',
    );
    const text = fc.array(unit, { maxLength: 25 }).map((parts) => `reel ${parts.join('')}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 3 }), (pages) => {
        const passages = pages.map(([body, title]) => passage(body, title));
        const found = closestPassages('reel', passages);
        const marks = createCitationMarks(passages.length);
        for (const piece of answerPieces(found, passages)) marks.push(piece);
        marks.flush();
        expect(marks.cited()).toEqual(found.passages.map(({ citation }) => citation - 1));
      }),
    );
  });
});
