import { describe, expect, it } from 'vitest';
import { type Definable, DEFINED_OF, withDefinitions } from '../../../domain/ranking/defined.ts';

const PROSE = 'Sets how much of it there may be before something else is done.';
const defining = (name: string, score: number): Definable => ({ text: `${name}\n\n${PROSE}`, score });
const other = (score: number): Definable => ({ text: `The unit of a tape. ${PROSE}`, score });
const raisedBy = (query: string, ...hits: readonly Definable[]): readonly number[] =>
  withDefinitions(query, hits, 0.2).map((place, i) => Number((place - hits[i]!.score).toFixed(3)));

describe('a hit that defines what the query names', () => {
  it.each([
    ['What unit does TAPETIME have?', 'TAPETIME'],
    ['What unit does TAPETIME have?', 'TAPETIME (integer)'],
    ['What unit does TAPETIME have?', 'TAPETIME variable'],
    ['What unit does TAPETIME have?', 'the TAPETIME'],
    ['Tell me the unit of TAPETIME.', 'TAPETIME'],
    ['default of tape_size', 'tape_size [ -a ]'],
    ['default of tape_size', 'PRAGMA tape_size'],
    ['what does --big-tape do', '--big-tape'],
    ['what does tapes.Reel return', 'class tapes.Reel(size)'],
    ['what does bigTape return', 'bigTape'],
    ['Which values can the Urgency field have?', '5.6.17. Urgency'],
  ])('comes before one that has the other words: %j, %j', (query, name) =>
    expect(raisedBy(query, other(0.9), defining(name, 0.8))).toEqual([0, 0.2]),
  );

  it.each([
    ['nothing that looks like a name', 'What unit does tapetime have?', 'tapetime'],
    ['a first word with a capital', 'Tapes of which unit', 'Tapes'],
    ['a short one in capitals', 'which AB is it', 'AB'],
    ['names alone', 'TAPETIME', 'TAPETIME'],
    ['words of which most have capitals', 'How Does Tapetime Work', 'Tapetime'],
    ['one that is written otherwise', 'What unit does TAPETIME have?', 'Tapetime'],
    ['another one', 'What unit does TAPETIME have?', 'REELTIME'],
    ['one of more words', 'What unit does TAPETIME have?', 'TAPETIME of reels'],
    ['a part of a word', 'What unit does TAPETIME have?', 'TAPETIMES'],
  ])('is none for %s', (_, query, name) =>
    expect(raisedBy(query, other(0.9), defining(name, 0.8))).toEqual([0, 0]),
  );

  it('is no list of links, and no mention', () => {
    const list = Array.from({ length: 12 }, (_, i) => `TAPETIME ${i}`).join('\n');
    const hits = [list, `TAPETIME\n\n${PROSE}\n\n${list}\n`, `It is TAPETIME that counts. ${PROSE}`];
    expect(raisedBy('unit of TAPETIME', ...hits.map((text) => ({ text, score: 0.5 })))).toEqual([0, 0, 0]);
  });

  it('counts nothing where the weight is 0', () =>
    expect(withDefinitions('unit of TAPETIME', [defining('TAPETIME', 0.5)], 0)).toEqual([0.5]));

  it('is found behind mentions, and where its row stands alone', () => {
    const mentions = `It is TAPETIME and TAPETIME. ${PROSE}\n\n`;
    const row = `TAPETIME | main | time\n\n${PROSE}`;
    const hits = [mentions + defining('TAPETIME', 0).text, mentions + row, `reel | x\n${row}`];
    expect(raisedBy('unit of TAPETIME', ...hits.map((text) => ({ text, score: 0.5 })))).toEqual([
      0.2, 0.2, 0,
    ]);
  });

  it('begins within 40 characters of its line, and is looked for in eight lines', () => {
    const behind = (marks: number) => defining(`${'#'.repeat(marks)}TAPETIME`, 0.5);
    const query = 'unit of TAPETIME';
    expect([40, 41].map((marks) => raisedBy(query, behind(marks)))).toEqual([[0.2], [0]]);
    const line = `TAPETIME of them.\n\n${PROSE.repeat(20)}\n\n`;
    const after = (lines: number) => ({ text: `${line.repeat(lines)}TAPETIME\n\n${PROSE}`, score: 0.5 });
    expect([7, 8].map((lines) => raisedBy(query, after(lines)))).toEqual([[0.2], [0]]);
  });

  it('is one of five at most', () => {
    const five = Array.from({ length: 5 }, () => defining('TAPETIME', 0.5));
    expect(raisedBy('unit of TAPETIME', ...five)).toEqual([0.2, 0.2, 0.2, 0.2, 0.2]);
    expect(raisedBy('unit of TAPETIME', ...five, defining('TAPETIME', 0.4))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('counts by how much it defines of what is named', () => {
    const both = { text: `TAPETIME\n\n${PROSE}\n\nreel_size\n\n${PROSE}`, score: 0.1 };
    const query = 'which unit has TAPETIME with reel_size';
    expect(raisedBy(query, defining('TAPETIME', 0.2), both)).toEqual([0.1, 0.2]);
  });

  it('is looked for by four names at most', () => {
    const names = ['A_1', 'A_2', 'A_3', 'A_4', 'A_5'];
    const query = `which of the units has ${names.join(' or ')}`;
    expect(raisedBy(query, ...names.map((name) => defining(name, 0.5)))).toEqual([0.05, 0.05, 0.05, 0.05, 0]);
  });

  it('is looked for among the first 30', () => {
    const hits = [...Array.from({ length: DEFINED_OF - 1 }, () => other(0.9)), defining('TAPETIME', 0.5)];
    expect(raisedBy('unit of TAPETIME', ...hits).at(-1)).toBe(0.2);
    expect(raisedBy('unit of TAPETIME', other(0.9), ...hits).at(-1)).toBe(0);
  });

  it('takes no longer for a query of many signs', () => {
    for (const sign of ['.', 'A', 'A.', '-', 'Aa ', '_']) {
      const query = `unit of ${sign.repeat(4_000)}`;
      expect(withDefinitions(query, [defining('A', 0.5)], 0.2)).toHaveLength(1);
    }
  });
});
