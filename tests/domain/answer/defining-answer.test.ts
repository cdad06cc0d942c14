import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../domain/answer/asked.ts';
import { goingOn, termOf } from '../../../domain/answer/belonging.ts';
import { answerPieces, extractiveAnswer, withHeadings } from '../../../domain/answer/extractive-answer.ts';
import { type RankedSentence, type Ranking, rankSentences } from '../../../domain/answer/rank-sentences.ts';

const answerTo = (question: string, ...passages: { title: string; text: string }[]): string =>
  answerPieces(extractiveAnswer(question, passages)).join('');

describe('an answer to what something is', () => {
  it('begins with the entry of a glossary, not with a section about it', () => {
    const section = {
      title: 'move',
      text: 'Submodules\n\nMoving a submodule that an old version has cloned updates its path and its settings, so that it works in its new place.',
    };
    const glossary = {
      title: 'Words',
      text: 'submodule\n\nA repository that holds the history of another project within this one.',
    };
    expect(answerTo('What is a submodule?', section, glossary)).toMatch(/^A repository that holds .* \[2\]/);
  });

  it('begins with the sentence that says what it is, before those that say what it does', () => {
    const text =
      'Logical replication sends changes of logical replication slots. Logical replication is a method of copying objects.';
    const answer = answerTo('What is logical replication?', { title: 'Replication', text });
    expect(answer).toMatch(/^Logical replication is a method of copying objects\. \[1\]/);
  });
});

describe('an answer about a part of what a page describes', () => {
  it('is found under the name of the part alone', () => {
    const passage = {
      title: 'git-fetch',
      text: '--all\n\nFetch all remotes, as git fetch does with prune set.\n\n--prune\n\nRemoves references that are gone on the other side.',
    };
    const config = {
      title: 'git-config',
      text: 'Where fetch.prune is set, all goes as with git fetch --prune.',
    };
    expect(answerTo('What does git fetch --prune do?', config, passage)).toMatch(
      /^Removes references that are gone on the other side\. \[2\]/,
    );
  });
});

describe('an answer about what a row sets', () => {
  const passage = {
    title: 'Settings',
    text: 'loops | type: integer | default: 30\n\nA letter with more stamps than that is assumed to go in a loop, and is burnt.',
  };

  it('has the row, where the value stands', () => {
    expect(answerTo('How many stamps has a letter until a loop is assumed?', passage)).toMatch(
      /^loops \| type: integer \| default: 30 \[1\] A letter/,
    );
  });

  it('is of the kind that is asked for by its row, where it opens what is said of it', () => {
    const text = 'loops | type: integer | default: 30\n\nA letter loops. A letter burns.';
    const { texts } = rankSentences('How many letters burn?', [{ title: 'Post', text }]);
    expect(texts[0]!.map(({ isOfKind }) => isOfKind)).toEqual([true, true, false]);
  });

  it('has it too where the row is what was asked about, unless no value was asked for', () => {
    const oven = { title: 'Oven', text: 'heat | unit: K | default: 450\n\nOf the oven when it opens.' };
    expect(answerTo('What is the default heat of the oven?', oven)).toMatch(
      /^heat \| unit: K \| default: 450/,
    );
    const walls = { title: 'Oven', text: 'heat | unit: K | from: oil\n\nKeeps the oven walls from ageing.' };
    expect(answerTo('What does heat do?', walls)).toBe('Keeps the oven walls from ageing. [1]');
  });
});

describe('a part of a page that is called like the rest of the question', () => {
  const defines = (question: string, part = 'timeout'): boolean =>
    rankSentences(question, [
      { title: 'The pipe transport', text: `${part}\n\nOne hour, if nothing else is set.` },
    ]).texts[0]!.at(-1)!.defines;

  it('is what was asked for', () => {
    expect(defines('What is the timeout of the pipe transport?')).toBe(true);
    expect(defines('What is the timeout of the file transport?')).toBe(false);
    expect(defines('What is the pipe transport?', 'pipe')).toBe(false);
  });

  it('is not, of a difference', () =>
    expect(defines('What is the difference between the pipe transport and a timeout?')).toBe(false));
});

describe('a sentence that does not say what it is about', () => {
  it('comes with the name of what it describes, wherever it stands in the answer', () => {
    const passages = [
      { title: 'Files', text: 'Text is read from a file by its lines.' },
      { title: 'json', text: 'json.load(fp)\n\nDeserialize a file that holds a JSON document.' },
    ];
    const answer = answerTo('How do I read a JSON document from a file?', ...passages);
    expect(answer).toContain('json.load(fp) [2] Deserialize a file that holds a JSON document. [2]');
  });

  it('comes with the name of an exception', () => {
    const text = 'exception KeyError\n\nRaised when a mapping key is not found.';
    expect(
      answerTo('Which exception is raised when a mapping key is not found?', { title: 'Errors', text }),
    ).toBe('exception KeyError [1] Raised when a mapping key is not found. [1]');
  });

  it('comes with the heading that "this module" speaks of', () => {
    const text =
      'timeit — Measure execution time\n\nSource code: timeit.py\n\nThis module measures the execution time of small bits of code.';
    expect(answerTo('How can I measure the time of small bits of code?', { title: 'timeit', text })).toMatch(
      /^timeit — Measure execution time \[1\] This module measures/,
    );
  });

  it('is left without one where the answer would be too long', () => {
    const long = `This module explains penguins. ${'It says much of penguins and of ice. '.repeat(60)}`;
    const answer = answerTo('penguins', { title: 'Birds', text: `Birds of the sea\n\n${long}` });
    expect(answer.replaceAll(/ \[\d+\]|\n/g, '').length).toBeLessThanOrEqual(1_600);
  });
});

describe('an answer about a difference', () => {
  it('begins with a sentence that compares', () => {
    const passages = [
      { title: 'Examples', text: 'These examples show a list and a tuple.' },
      { title: 'Types', text: 'A list changes and grows at times, whereas a tuple stays.' },
    ];
    expect(answerTo('What is the difference between list and tuple?', ...passages)).toMatch(
      /^A list changes and grows at times, whereas a tuple stays\. \[2\]/,
    );
    expect(answerTo('list and tuple', ...passages)).toMatch(/^These examples/);
  });
});

const NONE: ReadonlySet<string> = new Set();
type Given = Partial<RankedSentence> & { readonly text: string };
/** A page of these sentences, and what is asked of it. */
const page = (given: readonly Given[], question = 'tapes'): Ranking => {
  const judged = { defines: false, isDefinition: false, isOfKind: false, score: 1, level: 1 };
  const plain = { passage: 0, terms: () => NONE, matched: NONE, section: 0, isStatement: true, ...judged };
  const texts = given.map((one, place) => ({ ...plain, place, ...one }));
  const found = { sentences: texts, texts: [texts], missing: NONE, coverage: () => 1, neighbours: null };
  return { asked: askedBy(question), ...found };
};
const heading = (text: string, more: Partial<Given> = {}): Given => ({ text, isStatement: false, ...more });
const says = (...texts: readonly string[]): Given[] => texts.map((text) => ({ text }));
const textsOf = (sentences: readonly RankedSentence[]) => sentences.map(({ text }) => text);

describe('what goes on from a sentence', () => {
  const behind = (first: Given, others: readonly Given[], question?: string) => {
    const ranking = page([...says('Before.'), first, ...others], question);
    return textsOf(goingOn(ranking, ranking.texts[0]![1]!)).join(' ');
  };
  const best = { text: 'It rewinds.' };

  it('are two short ones that speak of it', () => {
    expect(behind(best, says('This is so.', 'They wind.', 'It ends.'))).toBe('This is so. They wind.');
    expect(behind(best, says('This is so.', 'Tapes wind.'))).toBe('This is so.');
    expect(behind(best, says('Tapes wind.', 'This is so.'))).toBe('');
    expect(behind(best, says(`It ${'x'.repeat(217)}`))).toHaveLength(220);
    expect(behind(best, says(`It ${'x'.repeat(218)}`, 'It ends.'))).toBe('');
    expect(behind(best, [heading('It ends'), ...says('It ends.')])).toBe('');
    expect(behind(best, [{ text: 'It ends.', section: 1 }])).toBe('');
  });

  it('are two of any where it defines what is asked for', () => {
    expect(behind({ ...best, defines: true }, says('Tapes wind.', 'Reels do.', 'It ends.'))).toBe(
      'Tapes wind. Reels do.',
    );
  });

  it('goes up to the value that is asked for', () => {
    const value = { text: 'Takes 5 minutes.', isOfKind: true };
    expect(behind(best, [...says('Tapes wind.'), value], 'How many minutes?')).toBe(
      'Tapes wind. Takes 5 minutes.',
    );
    expect(behind(best, [value, ...says('Tapes wind.')], 'How many minutes?')).toBe('Takes 5 minutes.');
    expect(behind(best, [value, ...says('It ends.')], 'tapes')).toBe('');
  });

  it('are the four pieces that a colon announces, whatever they are', () => {
    const list = { text: 'It rewinds:' };
    const pieces = ['open', 'rewind', 'close', 'put away', 'lock'].map((text) => heading(text));
    expect(behind(list, pieces)).toBe('open rewind close put away');
    expect(behind(list, [heading('x'.repeat(800))])).toHaveLength(800);
    expect(behind(list, [heading('x'.repeat(801))])).toBe('');
    expect(behind(list, [heading('open'), heading('Reels', { section: 1 })])).toBe('open');
  });
});

describe('what a sentence stands under', () => {
  const above = (given: readonly Given[]) => {
    const ranking = page(given);
    return textsOf(termOf(ranking, ranking.texts[0]!.at(-1)!));
  };

  const names =
    'tape.rewind, tape::rewind, tape_rewind, --rewind, -r, tape --rewind, rewind(tape), rewind (tape), exception KeyError, class Tape:, variable tape_name';
  it.each(names.split(', ').map((name) => [name] as const))(
    'is said where it is the name of something in code: %s',
    (name) => {
      expect(above([heading(name), ...says('Winds it.', 'Goes on.')])).toEqual([name]);
      expect(above([heading(name), { text: 'Winds it.', defines: true }])).toEqual([]);
      expect(above([heading(name), { text: 'Winds it.', section: 1 }])).toEqual([]);
      expect(above([heading(`(${name}`), ...says('Winds it.')])).toEqual([]);
    },
  );

  it.each(['Tapes', 'Tapes wind.', 'class of tapes', 'tape - rewind', 'its class Tape'])(
    'is not said where it is a heading: %s',
    (name) => {
      expect(above([heading(name), ...says('Winds it.')])).toEqual([]);
    },
  );

  it.each(['This module winds.', 'this page explains.', 'It is wound.', 'It has tapes.'])(
    'is said where nobody would know what is meant: %s',
    (text) => {
      expect(above([heading('Tapes'), ...says(text)])).toEqual(['Tapes']);
      expect(above([...says('So.'), heading('Tapes'), heading('of all sorts'), ...says(text)])).toEqual([
        'Tapes',
      ]);
      expect(above([heading('Tapes'), ...says('So.', text)])).toEqual([]);
      expect(above([heading('Tapes'), ...says(`So: ${text}`)])).toEqual([]);
    },
  );

  it('is said where it is short', () => {
    expect(above([heading('x'.repeat(220)), ...says('It is wound.')])).toHaveLength(1);
    expect(above([heading('x'.repeat(221)), ...says('It is wound.')])).toEqual([]);
  });

  it('is said where it is a heading above what does not define the subject, which the question names', () => {
    const headed = (one: Given) => {
      const ranking = page([heading('Tapes'), one]);
      return textsOf(withHeadings(ranking, ranking.texts[0]!.slice(1)));
    };
    expect(headed({ text: 'Winds it.' })).toEqual(['Tapes', 'Winds it.']);
    expect(headed({ text: 'Winds it.', defines: true })).toEqual(['Winds it.']);
    expect(headed({ text: 'Winds it.', section: 1 })).toEqual(['Winds it.']);
  });

  it('is said once, and where there is room', () => {
    const named = (...texts: readonly string[]) => {
      const ranking = page([heading('tape.rewind'), ...says(...texts)]);
      return textsOf(withHeadings(ranking, ranking.texts[0]!.slice(1)));
    };
    expect(named('Winds it.', 'Goes on.')).toEqual(['tape.rewind', 'Winds it.', 'Goes on.']);
    const room = 1_600 - 'tape.rewind'.length;
    expect(named('x'.repeat(room))).toHaveLength(2);
    expect(named('x'.repeat(room + 1))).toHaveLength(1);
    expect(named('x'.repeat(room), 'y')).toHaveLength(2);
  });
});

describe('the pieces of an answer', () => {
  const sentences = [
    { text: 'One.', citation: 2 },
    { text: 'Two.', citation: 2 },
    { text: 'Three.', citation: 1 },
  ];
  it('have one passage in one paragraph, each sentence with its citation if wanted', () => {
    expect(answerPieces(sentences)).toEqual(['One. [2]', ' Two. [2]', '\n\nThree. [1]']);
    expect(answerPieces(sentences, false)).toEqual(['One.', ' Two.', '\n\nThree.']);
    expect(answerPieces([])).toEqual(['The indexed content does not answer this question.']);
  });
});
