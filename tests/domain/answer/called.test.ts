import { describe, expect, it } from 'vitest';
import { askedBy, calledIn } from '../../../domain/answer/asked.ts';

describe('what a question calls by name', () => {
  it.each([
    ['How do I move zones from PowerDNS to Bind?', ['powerdn', 'bind']],
    ['How tall is a crane in Kenya?', ['kenya']],
    ['Cranes lift crates', []],
    ['The crane fell. Cranes fall? Yes: Crates too!', []],
    ['  Which crane lifts crates?', []],
    ['how do i lift crates', []],
    ['', []],
  ])('are words with a capital letter that begin no sentence: %s', (question, called) => {
    expect([...calledIn(question)]).toEqual(called);
  });

  it('is nothing in a title, where all words have one', () => {
    expect([...calledIn('LIFTING CRATES WITH A CRANE')]).toEqual([]);
    expect([...calledIn('Lifting Crates With A Crane')]).toEqual([]);
  });

  it('is of the subject, and names of settings and functions are called too, as a whole', () => {
    const { called } = askedBy('Is max_crates the Default in Kenya?');
    expect([...called].toSorted()).toEqual(['kenya', 'max_crates']);
  });
});
