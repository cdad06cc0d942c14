import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../domain/answer/asked.ts';
import { holdsKind, type Kind } from '../../../domain/answer/kinds.ts';

describe('the kind of answer that a question asks for', () => {
  it.each<readonly [Kind, ...string[]]>([
    ['person', 'Who wrote it?', 'And who wrote it?', 'But whose is it?', '"Whom does it serve?"'],
    [
      'time',
      'When is it written?',
      'And when?',
      '"When is it?"',
      'But when?',
      'On what date?',
      'In which year?',
      'What day is it?',
    ],
    ['place', 'Where is it kept?', 'And where are they?', 'In which folder is it?', 'From what file?'],
    ['place', 'Name it: which directory has it?'],
    ['default', 'Which defaults has it?', 'Is a default there?'],
    ['difference', 'What is the difference?', 'Where do they differ?', 'Is it different from that?'],
    ['difference', 'Which differences are there?', 'What differs?'],
    [
      'number',
      'It takes how many?',
      'And how much is it?',
      'How long is it?',
      'How large?',
      'How big?',
      'How small?',
    ],
    [
      'number',
      'How tall?',
      'How far?',
      'How fast?',
      'How high?',
      'How old?',
      'How often?',
      'How deep?',
      'How heavy?',
    ],
    [
      'number',
      'How wide?',
      'What is the maximum?',
      'The minimum?',
      'Which range of pages?',
      'The size of a page?',
    ],
    ['number', 'On what port?', 'Which port?', 'Its temperature?', 'The population?'],
    ['price', 'How much does it cost?', 'And what do two of them cost?', 'What are the costs?', 'Its price?'],
    ['other', 'Whoever wrote it?', 'Tell me who.', 'Tell me when.', 'Whenever it is?', 'What update is it?'],
    [
      'other',
      'Is it different?',
      'Is it undefaulted?',
      'Is it differently done?',
      'An indifferent one?',
      'How manyfold?',
      'Does it cost much?',
      'What are prices?',
      'Costs of what?',
      'A port?',
    ],
    [
      'other',
      'How do I see the default?',
      'And how can it differ?',
      'What data? Which daylight?',
      'The range?',
    ],
  ])('is %s', (kind, ...questions) => {
    expect(questions.map((one) => [one, askedBy(one).kind])).toEqual(questions.map((one) => [one, kind]));
  });

  it.each<readonly [Kind, readonly string[], readonly string[]]>([
    [
      'person',
      [
        'Jane Doe did',
        'Jane F. Doe did',
        'by us',
        ...'users employee owner user superuser administrator author member person team'.split(' '),
        ...'maintainer developer role customer'.split(' '),
      ],
      ['Jane did', 'jane Doe', 'bypass'],
    ],
    [
      'time',
      [
        'in 2024',
        'while it runs',
        'on tuesday',
        'at night',
        'in the end',
        'every hour',
        'as soon as it is',
        'in May, june',
      ],
      ['then', 'weekday'],
    ],
    [
      'number',
      ['7', '½', 'twice', 'no limit', 'about an hour', 'about a mile', 'a dozen'],
      ['ones', 'many', 'no limits'],
    ],
    [
      'place',
      [
        'in /etc',
        'under ~/.keys/a',
        'a `bin/a/b`',
        '("$HOME/a")',
        './a',
        'the directories',
        'its folder',
        'set in app.conf',
      ],
      ['and/or', 'on a shelf', 'profile', 'etc.'],
    ],
    [
      'price',
      [
        '$12',
        'US$ 1.50',
        '€ 7',
        '5 euros',
        '3 USD',
        '2€',
        'It is free.',
        'free of charge',
        'it costs nothing',
      ],
      ['$1', '$HOME', 'at a cost', 'a free slot', '7', '10 usdx'],
    ],
    ['default', ['by default', 'Defaults to it'], ['non-default', 'no such thing']],
    [
      'difference',
      ['it differs', 'they differ', 'a difference', 'Whereas it is', 'both are', 'differently'],
      ['indifferent', 'alike'],
    ],
    ['other', ['', 'anything'], []],
  ])('is told from others in a text: %s', (kind, held, others) => {
    expect(held.filter((text) => !holdsKind(text, kind))).toEqual([]);
    expect(others.filter((text) => holdsKind(text, kind))).toEqual([]);
  });
});
