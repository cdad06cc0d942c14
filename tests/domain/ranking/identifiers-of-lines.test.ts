import { describe, expect, it } from 'vitest';
import { compoundsOf, identifiersOf } from '../../../domain/ranking/identifiers.ts';

describe('identifiers of a plain line', () => {
  it.each([
    ['call a_b.c_d', ['a_b.c_d']],
    ['since v12Beta', ['12', 'beta']],
    ['getUserId or setUserId', ['get', 'user', 'id', 'set', 'user', 'id']],
    ['a_b\nc_d', ['a_b', 'c_d']],
    ['getId\nsetId\n', ['get', 'id', 'set', 'id']],
  ])('are each there once for each time that %j has it', (text, identifiers) =>
    expect(identifiersOf(text)).toEqual(identifiers),
  );
});

/** Letters beyond ASCII stand in each: such lines are read by the patterns alone. */
describe('identifiers of a line with letters beyond ASCII', () => {
  it.each([
    ['é 2.6', ['2.6']],
    ['é --dry', ['--dry']],
    ['é --2x', ['--2x']],
    ['é C#', ['c#']],
    ['é 2#', ['2#']],
    ['é getUserId', ['get', 'user', 'id']],
    ['é aBC', ['bc']],
    ['é ABc', ['bc']],
    ['é HTTPd', ['htt', 'pd']],
    ['é an HTTPServer', ['http', 'server']],
    ['é SHA256 User2024 getIt', ['get', 'it']],
  ])('are found where nothing else of it looks like one: %j', (line, identifiers) =>
    expect(identifiersOf(line)).toEqual(identifiers),
  );

  it('are none of the lines beside it', () =>
    expect(identifiersOf('x_y\né a_b\n\né getId')).toEqual(['x_y', 'a_b', 'get', 'id']));

  it('are neither abbreviations nor too long to be typed', () => {
    const [typed, longer] = [64, 65].map((length) => `é${'a'.repeat(length - 3)}_b`);
    expect(identifiersOf(`é, e.g. J.S. Bach ${longer} ${typed}`)).toEqual([typed]);
  });
});

it('a query in full width asks for the same', () => expect(compoundsOf('ａ＿ｂ')).toEqual(['a_b']));
