import { describe, expect, it } from 'vitest';
import { askedBy, termsWithNames, withAskingWordsAsMeant } from '../../../domain/answer/asked.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');

describe('a question', () => {
  it.each([
    ['How do I see it?', true],
    ['And how does it go?', true],
    ['but how did it go?', true],
    ['- How can it go?', true],
    ['How could I?', true],
    ['How should I?', true],
    ['How to go?', true],
    ['How would it?', true],
    ['How many are there?', false],
    ['Now how do I see it?', false],
    ['How doing it?', false],
  ])('asks how to do something: %s is %s', (question, is) => {
    expect(askedBy(question).isHow).toBe(is);
  });

  it.each([
    ['waht is a refspec', 'what is a refspec'],
    ['Hwo do I see it?', 'how do I see it?'],
    ['what dose git stash do', 'what does git stash do'],
    ['how dose it go', 'how does it go'],
    ['wich files are these', 'which files are these'],
  ])('is read with the words that ask as they were meant: %s', (typed, meant) => {
    expect(askedBy(typed)).toEqual(askedBy(meant));
    expect(withAskingWordsAsMeant(typed)).toBe(meant);
  });

  it.each(['What dose is allowed?', 'A dose of it', 'dosed', 'Which dose does it do?', 'what is wyhte'])(
    'is left alone where its words are what they look like: %s',
    (question) => expect(withAskingWordsAsMeant(question)).toBe(question),
  );

  it.each([
    ['What is a refspec?', true],
    ['max columns', false],
    ['What  is a  refspec? ', true],
    ['What  are refspecs?', true],
    ['refspec what this', false],
    ['refspec what island', false],
    ['What are refspecs?', true],
    ["What's a refspec?", true],
    ['What’s a refspec?', true],
    ['"What is it?"', true],
    ['What is one two three four five?', true],
    ['What is one two three four five six?', false],
    ['So what is a refspec?', false],
    ['What is the default of it?', false],
    ['What is the defaulting of it?', true],
    ['What is the maximum?', false],
    ['What is the name?', false],
    ['What is the refspec?', true],
    ['refspec what is', true],
    ['refspecs what are', true],
    ['one two three four five what is', true],
    ['one two three four five six what is', false],
    ['fast forward', true],
    ['fast forward merge', true],
    ['fast forward merge commit', false],
    ['fast forward is', false],
    ['default value', false],
    ['size', false],
  ])('asks what something is: %s is %s', (question, is) => {
    expect(askedBy(question).isWhat).toBe(is);
  });

  it.each([
    ['What does the sweep of a log remove?', 'sweep log'],
    ['What did the sweep remove', 'sweep'],
    ['"What did the sweep remove?"', 'sweep'],
    ['What does the sweep remove-branch?', 'sweep remov branch'],
    ['And what does the sweep remove?', 'sweep remov'],
    ['What is the default size of a sweep?', 'sweep'],
    ['What is the default value?', 'default valu'],
    ['Which bird dives?', 'bird dive'],
  ])('is about its words but those that only ask: %s', (question, subject) => {
    expect([...askedBy(question).subject].toSorted()).toEqual(words(subject).toSorted());
  });

  it.each([
    ['Which bird dives?', 'bird'],
    ['What bird dives?', 'bird'],
    ['"Which bird dives?"', 'bird'],
    ['And which bird dives?', ''],
    ['Which bird', ''],
    ['Which 2 birds dive?', ''],
  ])('says of which sort its answer is: %s', (question, sort) => {
    expect([...askedBy(question).sort]).toEqual(words(sort));
  });

  it.each([
    ['Is max_wal_size set?', 'max_wal_size'],
    ['Does os.path.join join?', 'os.path.join'],
    ['Use std::move or A::b', 'std::move a::b'],
    ['git fetch --prune --dry-run', '--prune --dry-run'],
    ['git fetch -p --p --!ab', ''],
    ['a.bc, a.b.c', 'a.bc'],
    ['e.g. 3.11, i.e. 2.6.1.', ''],
    ['v1.2 and 12.ab', 'v1.2 12.ab'],
    ['a.b, 1.a', ''],
    ['a_b a_b A_B', 'a_b'],
    [
      Array.from({ length: 20 }, (_, i) => `a_${i}`).join(' '),
      Array.from({ length: 16 }, (_, i) => `a_${i}`).join(' '),
    ],
  ])('has names: %s', (question, names) => {
    expect(askedBy(question).names).toEqual(words(names));
  });

  it('of another language leaves its questioning words out, and knows no inflection', () => {
    const { terms, isEnglish } = askedBy('Welche Größe hat der Speicher?');
    expect([[...terms], isEnglish]).toEqual([['gross', 'speich'], false]);
    expect(askedBy('Which size has the memory?').isEnglish).toBe(true);
  });
});

describe('the terms of a text', () => {
  it('have names as a whole, where they stand as a whole', () => {
    const of = (text: string) => termsWithNames(text, ['work_mem', 'a.b']);
    expect(of('Set work_mem twice, WORK_MEM')).toEqual(['work_mem', 'work_mem', 'set', 'twic']);
    expect(of('Set autovacuum_work_mem')).toEqual(['set', 'autovacuum', 'work', 'mem']);
    expect(of('Set work_mems, xwork_mem')).toEqual(['set', 'work', 'mem', 'xwork', 'mem']);
    expect(of('xwork_mem')).toEqual(['xwork', 'mem']);
    expect(of('work_mem.xwork_mem')).toEqual(['work_mem', 'xwork', 'mem']);
    expect(of('a.b.c xa.b a.b')).toContain('a.b');
    expect(termsWithNames('work_mem', [])).toEqual(['work', 'mem']);
  });
});
