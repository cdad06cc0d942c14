import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passageScores } from '../../../domain/answer/passage-scores.ts';
import { createTextReader, readText } from '../../../domain/answer/read-text.ts';
import { prose } from '../chunking/arbitrary-text.ts';

const TEXT = 'Pools\n\nA pool keeps connections. Raise POOL_SIZE with care, or set os.pool.Size = 4.';

describe('a text that was read before', () => {
  it('is not read again, as long as there is room', () => {
    const [roomy, narrow] = [createTextReader(), createTextReader(3_000)];
    expect(roomy(TEXT)).toBe(roomy(TEXT));
    const before = narrow(TEXT);
    expect(narrow(TEXT)).toBe(before);
    narrow(`Other. ${TEXT}`);
    expect(narrow(TEXT)).not.toBe(before);
    expect(narrow(TEXT).units).toEqual(before.units);
  });

  it('that was asked for last stays', () => {
    const read = createTextReader(4_000);
    const [first] = [read(TEXT), read(`Two. ${TEXT}`), read(TEXT), read(`Three. ${TEXT}`)];
    expect(read(TEXT)).toBe(first);
  });

  it('stays where it fills all the room', () => {
    const read = createTextReader(500 + 16 * TEXT.length);
    expect(read(TEXT)).toBe(read(TEXT));
  });

  it('has the terms that it has for the names of each question', () => {
    const read = createTextReader();
    for (const names of [
      [],
      ['pool_size'],
      ['os.pool'],
      ['os.pool.size', 'pool_size'],
      ['pool_size', 'no_such'],
      [],
    ]) {
      expect(read(TEXT).terms(TEXT, names)).toEqual(readText(TEXT).terms(TEXT, names));
    }
    expect(read(TEXT).terms(TEXT, ['pool_size'])).toContain('pool_size');
    expect(read(TEXT).terms(TEXT, ['pool'])[0]).toBe('pool');
  });

  it('keeps no more for it, under however many titles it stands', () => {
    const { terms } = createTextReader()(TEXT);
    const first = terms('A pool', []);
    expect(terms('A pool', [])).toBe(first);
    for (let i = 0; i < 100; i++) terms(`Title ${i}`, []);
    expect(terms('A pool', [])).toEqual(first);
    expect(terms('A pool', [])).not.toBe(first);
  });

  it('answers every question as one that is read for the first time', () => {
    const read = createTextReader(20_000);
    const passages = fc.array(fc.record({ title: prose(2), text: prose(10) }), { maxLength: 4 });
    fc.assert(
      fc.property(passages, prose(4), fc.constantFrom('', ' max_size', ' os.path'), (given, words, name) => {
        const question = `${words}${name}`;
        const named = given.map(({ title, text }) => ({ title, text: `${text}${name} ${words}` }));
        expect(passageScores(question, named, read)).toEqual(passageScores(question, named));
      }),
    );
  });
});
