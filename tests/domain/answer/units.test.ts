import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../../domain/answer/units.ts';

const textsOf = (text: string): string[] => unitsOf(text).map((unit) => unit.text);
/** The headings that each piece stands under, by the piece. */
const leadsOf = (text: string) => Object.fromEntries(unitsOf(text).map((unit) => [unit.text, unit.leads]));
const isHeading = (line: string): boolean => leadsOf(`${line}\n\nIt is.`)['It is.']?.length === 1;

describe('the pieces of a text', () => {
  it('are its sentences, and each tells what it stands under', () => {
    const text = 'Before it.\n\nPools\n\nA pool is. It keeps.\n\nSizes\nof pools\n\nMore of it.';
    expect(unitsOf(text)).toEqual([
      { text: 'Before it.', isStatement: true, leads: [], section: 0, opens: true },
      { text: 'Pools', isStatement: false, leads: [], section: 1, opens: false },
      { text: 'A pool is.', isStatement: true, leads: ['Pools'], section: 1, opens: true },
      { text: 'It keeps.', isStatement: true, leads: ['Pools'], section: 1, opens: false },
      { text: 'Sizes of pools', isStatement: false, leads: ['Pools'], section: 1, opens: false },
      { text: 'More of it.', isStatement: true, leads: ['Pools'], section: 1, opens: false },
    ]);
  });

  it('have the last three headings of a row of them, which is one section', () => {
    const units = unitsOf('1\n\n2\n\n  3  \n\n4\n\nIt is.\n\n5\n\nSo it is.');
    expect(units.at(4)?.leads).toEqual(['2', '3', '4']);
    expect(units.at(-1)?.leads).toEqual(['5']);
    expect(units.map(({ section }) => section)).toEqual([1, 1, 1, 1, 1, 2, 2]);
    expect(units.map(({ opens }) => opens)).toEqual([false, false, false, false, true, false, true]);
  });

  it.each(['\r\n\r\n', '\r\r', '\u2028\u2029', '\n \t\n', '\n\n\n\n'])(
    'are told by empty lines: %j',
    (gap) => {
      expect(textsOf(`One${gap}Two`)).toEqual(['One', 'Two']);
      expect(isHeading(`One${gap}Two`)).toBe(false);
    },
  );

  it.each(['%*', '&&', '!=', '->', '%* ¶'])(
    'are names of signs too, above what explains them: %s',
    (name) => {
      expect(textsOf(`${name}\n\nIt is the time.`)).toEqual([name.replace(' ¶', ''), 'It is the time.']);
    },
  );

  it.each(['*', '---', '***', '| |', '[]', '»»', '````', '%*%*%*%'])('are no other signs: %s', (line) => {
    expect(textsOf(`${line}\n\nIt is the time.`)).toEqual(['It is the time.']);
  });

  it('open a section with its first statement', () => {
    const opens = unitsOf('Pools\n\nIs it? It is. And so on.').map((unit) => unit.opens);
    expect(opens).toEqual([false, false, true, false]);
  });
});

describe('a heading', () => {
  it.each([
    ['Pools', true],
    ['1. Pools', true],
    ['1.2 Pools', true],
    ['- Pools', false],
    ['* Pools', false],
    ['2) Pools', false],
    ['1234) Pools', true],
    ['-Pools', true],
    ['Pools.', false],
    ['Pools?', true],
    ['Pools!', false],
    ['Pools。', false],
    ['Pools…', false],
    ['Pools．', false],
    ['हाँ।', false],
    ['ہاں۔', false],
    ['هل هو كذلك؟', true],
    ['Pools,', false],
    ['Pools;', false],
    ['Pools:', false],
    ['Pools: all of them', true],
    ['a | b', false],
    ['| a |', false],
    ['a |b', true],
    ['a |b|', true],
    ['|a| b', true],
    ['a|b|', true],
    ['|a|b', true],
    ['Pools    all', true],
    ['Pools.  ', false],
    ['12. Pools', true],
    ['-  Pools', false],
    ['  Pools', true],
    ['    pools()', false],
    ['\tpools()', false],
    ['$ pools', false],
    ['$pools', true],
    ['>>> pools', false],
    ['... pools', false],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['one\ntwo', false],
  ])('is a short line that ends as no sentence does: %j is %s', (line, is) => {
    expect(isHeading(line)).toBe(is);
  });

  it('that holds nothing is no piece, and a heading all the same', () => {
    expect(textsOf('***\n\nIt is.')).toEqual(['It is.']);
    expect(leadsOf('***\n\nIt is.')['It is.']).toEqual(['***']);
  });
});

describe('a list, a table and code', () => {
  it('are taken item by item, with the lines that belong to an item', () => {
    expect(textsOf('It has:\n- one. Of them\n  goes on.\n2. two. And so on\n• three')).toEqual([
      'It has:',
      'one. Of them goes on.',
      'two. And so on',
      'three',
    ]);
  });

  it('have long items sentence by sentence', () => {
    const item = (length: number) => `It is:\n- ${'x'.repeat(length - 9)}. So.`.replace('It is:\n', 'It.\n');
    expect(textsOf(item(600 + 2))).toHaveLength(2);
    expect(textsOf(item(600 + 3))).toHaveLength(3);
  });

  it('have rows with the first of them above, which states nothing', () => {
    const table = 'Name | Size\n--- | ---\nlog | 4\ncache | 8';
    expect(unitsOf(table).map(({ text, header, isStatement }) => [text, header, isStatement])).toEqual([
      ['Name | Size', undefined, false],
      ['log | 4', 'Name | Size', true],
      ['cache | 8', 'Name | Size', true],
    ]);
    expect(unitsOf('| a | b |\n|:-|-:|\n| c | d |')).toHaveLength(2);
    expect(unitsOf('  | a |  \n-----\n  | c |  ').at(-1)?.header).toBe('  | a |  ');
    for (const row of ['log ---', '- log']) {
      const units = unitsOf(table.replace('--- | ---', row));
      expect([row, units.some(({ header }) => header !== undefined)]).toEqual([row, false]);
    }
    expect(unitsOf('log | 4.').map(({ isStatement }) => isStatement)).toEqual([true]);
    expect(unitsOf(table.replace('log | 4', 'log')).every(({ header }) => header === undefined)).toBe(true);
    const wide = `${'x'.repeat(597)} | y\nlog | 4`;
    expect(unitsOf(wide).at(-1)?.header).toBe('');
    expect(unitsOf(wide.slice(1)).at(-1)?.header).toHaveLength(600);
  });

  it.each([
    ['```\na = 1;\n\nb = 2;\n```'],
    ['~~~js\na = 1;\n~~~'],
    ['    a = 1;\n    b = 2;'],
    ['\ta = 1;\n\tb = 2;'],
    ['$ ls\n$ pwd'],
    ['>>> a = 1\n... b\n>>> c'],
  ])('are whole where they are code, with their lines: %j', (code) => {
    const [unit, ...more] = unitsOf(`So:\n\n${code}\n\nIt is.`).slice(1, -1);
    expect([unit?.text, unit?.isStatement, more]).toEqual([code, true, []]);
  });

  it('are left out where their code does not end', () => {
    expect(textsOf('- `one\n- two')).toEqual(['two']);
    expect(textsOf('It is.\n\n    a `b\n    c')).toEqual(['It is.']);
  });

  it('begin with the first line of code, behind however many empty ones', () => {
    expect(textsOf('So:\n\n\n    a = 1;\n    b = 2;')).toEqual(['So:', '    a = 1;\n    b = 2;']);
    expect(textsOf('  ```\na = 1;\n  ```')).toEqual(['```\na = 1;\n  ```']);
    expect(textsOf('So ```x``` is.\nIt is.')).toEqual(['So ```x``` is.', 'It is.']);
    expect(textsOf('So```x``` is.\nIt is.')).toEqual(['So```x``` is.', 'It is.']);
  });

  it('are no code where a line is none, and line by line where code is long', () => {
    expect(textsOf('    a = 1;\nb = 2;')).toEqual(['a = 1;', 'b = 2;']);
    const long = (length: number) => `\`\`\`\n${'a = 1;\n'.repeat(99).slice(0, length - 8)}\n\`\`\``;
    expect(textsOf(long(600))).toEqual([long(600)]);
    expect(textsOf(long(601)).length).toBeGreaterThan(50);
  });
});

describe('a line with a number', () => {
  it.each([
    ['1. Pools\n\n2. Sizes\n\nIt is.', ['2. Sizes']],
    ['Do this:\n\n1. Pools\n\nIt is.', []],
    ['1. pools\n\nIt is.', []],
    ['It is.\n\n1. Pools', []],
    ['1. Pools\n\nIt is.', ['1. Pools']],
  ])('is a heading where no list is: %j', (text, leads) => {
    expect(leadsOf(text)['It is.']).toEqual(leads);
  });
});

describe('a table of labels and values', () => {
  it.each(['Range: | 1 to 5\nDefault: | 5', '| Range: | 1 to 5 |\n| Default: | 5 |'])(
    'says something in each row, and has no heads of columns: %j',
    (text) => {
      const units = unitsOf(text);
      expect(units.map(({ isStatement, header }) => [isStatement, header])).toEqual([
        [true, undefined],
        [true, undefined],
      ]);
    },
  );

  it('is none where the first cell is no label', () => {
    expect(unitsOf('Name | Range: a\nDepth | 5').map(({ header }) => header)).toEqual([
      undefined,
      'Name | Range: a',
    ]);
  });

  it('know the row by itself that they explain, up to the next heading', () => {
    const row = 'tape_size | type: integer | default: 4';
    const units = unitsOf(`Before.\n\n${row}\n\nSets it. More of it.\n\nOther\n\nOf others.`);
    expect(units.map((unit) => unit.row)).toEqual([undefined, row, row, row, undefined, undefined]);
  });

  it('stand under the first cell of a row by itself, which opens a section', () => {
    const row = 'tape_size | type: integer | default: 4';
    const units = unitsOf(`Before.\n\n${row}\n\nSets it. More of it.\n\nb | c | Is d.\n\nOf b.`);
    expect(units.map(({ leads, section, opens }) => [leads, section, opens])).toEqual([
      [[], 0, true],
      [['tape_size'], 1, false],
      [['tape_size'], 1, true],
      [['tape_size'], 1, false],
      [['b'], 2, false],
      [['b'], 2, true],
    ]);
  });

  it.each([
    'sort x | less',
    'Type: | integer | 4',
    'one two three four five | b | c',
    `${'x'.repeat(61)} | b | c`,
    'a | b | c\nd | e | f',
  ])('stand under no other row: %j', (row) =>
    expect(unitsOf(`${row}\n\nSets it.`).at(-1)?.leads).toEqual([]),
  );
});
