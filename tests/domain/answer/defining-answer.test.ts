import { describe, expect, it } from 'vitest';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

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
