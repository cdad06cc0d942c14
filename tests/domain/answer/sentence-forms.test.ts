import { describe, expect, it } from 'vitest';
import { quoted, sentencesOf } from '../../../domain/answer/sentences.ts';

const textsOf = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);
const HAIR = '\u200A'.repeat(4);

describe('a line of a list', () => {
  it.each(['-', '*', '•', '‣', '–', '—', '>', '|', '#', '##', '>>', '1.', '12)', '123.', '[12]'])(
    'is quoted without its mark %s',
    (mark) => {
      expect(quoted(`${mark}  it is`)?.text).toBe('it is');
      expect(quoted(`${mark}it is`)?.text).toBe(`${mark}it is`.replace('[', `[${HAIR}`));
      expect(quoted(`so ${mark} it is`)?.text).toBe(`so ${mark} it is`.replace('[', `[${HAIR}`));
    },
  );

  it.each(['1234.', '12:', '[a]', '+'])('has no mark %s', (mark) => {
    expect(quoted(`${mark} it is`)?.text).toBe(`${mark} it is`);
  });
});

describe('a wrapped line', () => {
  const long = 'x'.repeat(40);

  it.each([
    [long, 'Goes on', true],
    [long.slice(1), 'Goes on', false],
    ['Goes', 'on', true],
    ['Goes,', 'on', true],
    ['Goes 2 ', 'on', true],
    ['Goes.', 'on', false],
    ['Goes:', 'on', false],
    ['Goes', 'On', false],
    ['Goes', ' on', false],
    [long, '  on', false],
    [long, '- on', false],
    [long, '-on', true],
    [long, '## on', false],
    [long, '12. on', false],
    [long, '12) on', false],
    [long, '12.on', true],
    [long, '1234. on', true],
  ])('of %j goes on in %j: %s', (line, next, goesOn) => {
    const joined = `${line.trimEnd()} ${next}`;
    expect(textsOf(`${line}\n${next}`).includes(joined)).toBe(goesOn);
    expect(textsOf(`${line}\r\n${next}`)).toEqual(textsOf(`${line}\n${next}`));
    expect(textsOf(`${line}\r${next}`)).toEqual(textsOf(`${line}\n${next}`));
  });

  it('ends where an empty one follows', () => {
    expect(textsOf(`${long}\n\n${long}`)).toEqual([long, long]);
  });
});

describe('a sentence', () => {
  it.each(
    'Dr Mr Mrs Ms Prof St No Nos Fig Figs Eq Sec vs al approx ca Inc Ltd Jr Sr A'
      .split(' ')
      .map((word) => [word] as const),
  )('goes on behind %s.', (word) => {
    expect(textsOf(`So ${word}. Goes on.`)).toHaveLength(1);
    expect(textsOf(`(${word}. Goes on.`)).toHaveLength(1);
    expect(textsOf(`${word}. Goes on.`)).toHaveLength(1);
    expect(textsOf(`So x${word}. Goes on.`)).toHaveLength(2);
    expect(textsOf(`So ${word}.\n\nGoes on.`)).toHaveLength(2);
  });

  it.each([
    ['So it is .\nGoes on . And on', ['So it is .', 'Goes on .', 'And on']],
    ['So it is . goes on', ['So it is .', 'goes on']],
    ['It is 3 .5 of it', ['It is 3 .5 of it']],
    ['It works!! So (it seems)', ['It works!!', 'So (it seems)']],
    ['It works!! so it seems', ['It works!! so it seems']],
    ['"It works!" so it seems', ['"It works!" so it seems']],
    ['It works!\nso it seems', ['It works!', 'so it seems']],
    ['So it is.[1] Goes on.', [`So it is.[${HAIR}1]`, 'Goes on.']],
    ['So it is.[12] Goes on.', [`So it is.[${HAIR}12]`, 'Goes on.']],
    ['It works!!  so it seems', ['It works!! so it seems']],
    ['He met J. Doe. Next one.', ['He met J. Doe.', 'Next one.']],
    ['See J.Doe. Next one.', ['See J.Doe.', 'Next one.']],
    ['So it is [1, 2; 3]. Goes on.', [`So it is [${HAIR}1, 2; 3].`, 'Goes on.']],
  ])('ends where it ends: %j', (text, sentences) => {
    expect(textsOf(text)).toEqual(sentences);
  });

  it.each([
    ['So it is.', true],
    ['So it is!', true],
    ['So it is…', true],
    ['そうです。', true],
    ['そうです！', true],
    ['そうです．', true],
    ['ऐसा है।', true],
    ['ایسا ہے۔', true],
    ['(So it is.)', true],
    ['"So it is."', true],
    ['“So it is.”', true],
    ['«So it is.» ', true],
    ['「そうです。」', true],
    ['So it is. [1, 2]', true],
    ['So it is.[3][4])', true],
    ['So it is?', false],
    ['هل هو كذلك؟', false],
    ['そうですか？', false],
    ['So it is', false],
    ['So it is:', false],
    ['So it is.x', false],
    ['So it is. [a]', false],
  ])('states something as it ends: %j is %s', (text, states) => {
    expect(quoted(text)?.isStatement).toBe(states);
  });

  it.each(['', ' ', '...', '—', '`', '`a', '``a`', 'a ` b'])(
    'is none of nothing, nor of open code: %j',
    (text) => {
      expect(quoted(text)).toBeNull();
    },
  );

  it.each(['[1]', '[ 1]', '[   12]', '[W1]', '[ W12]'])('holds no citation: %s', (mark) => {
    const open = `[${HAIR}${mark.slice(1).trimStart()}`;
    expect(quoted(`So ${mark} it is`)?.text).toBe(`So ${open} it is`);
    expect(quoted(`So\n  ${mark} it is\n`, 'lines')?.text).toBe(`So\n  ${open} it is`);
    expect(quoted(`\`\`\`\n${mark}\n\`\`\`\n`, 'lines')?.text).toBe(`\`\`\`\n${mark}\n\`\`\``);
  });

  it.each(['[a]', '[]', '[Wide]', '[    1]'])('keeps what is none: %s', (mark) => {
    expect(quoted(`So\n${mark} it is`, 'lines')?.text).toBe(`So\n${mark} it is`);
  });

  it('of more than a thousand characters is cut at a word', () => {
    const lengths = textsOf(`${'word '.repeat(300)}end.`).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_000);
    expect(lengths.reduce((sum, length) => sum + length + 1, 0)).toBe(300 * 5 + 5);
    expect(textsOf(`${'word '.repeat(300)}No. 5 is.`).length).toBeGreaterThan(1);
  });

  it('that goes on behind abbreviations ends behind a thousand characters all the same', () => {
    const lengths = textsOf('Fig. '.repeat(500)).map(({ length }) => length);
    expect(lengths).toEqual([1_004, 1_004, 489]);
  });

  it('of code between fences is known by its beginning', () => {
    expect(quoted('  ```\n[1]\n```', 'lines')?.text).toBe('```\n[1]\n```');
    expect(quoted('x[1]\n```\n[1]\n```', 'lines')?.text).toContain(`[${HAIR}1]`);
    expect(quoted('x```\n[1]\n```', 'lines')?.text).toContain(`[${HAIR}1]`);
  });

  it('of code with lines states something, whatever it ends with', () => {
    expect(quoted('a = 1', 'lines')?.isStatement).toBe(true);
    expect(quoted('  a = 1  ', 'lines')?.text).toBe('  a = 1');
  });
});
