import { describe, expect, it } from 'vitest';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

const answerTo = (question: string, text: string): string =>
  answerPieces(extractiveAnswer(question, [{ title: 'Guide', text }]), false).join('');
const TIMEOUT =
  'TIMEOUT\n\nHow many seconds a test may take. Tests that take more are killed.\n\nWeather\n\nIt may rain.';

describe('the headings of an answer', () => {
  it('say above a sentence what it is about, which may be the name of what was asked for', () => {
    const answer = 'TIMEOUT How many seconds a test may take. Tests that take more are killed.';
    expect(answerTo('How do I limit the seconds that a test takes?', TIMEOUT)).toBe(answer);
    expect(answerTo('Can the seconds that a test may take be many?', TIMEOUT)).toBe(answer);
  });

  it('are said of each sentence, once, and before all that is said of the section', () => {
    const text =
      'RELAY\n\nThe relay may take an eighth of the senders of the machine. It sets the relay of senders.\n\nSENDERS\n\nThe senders that the relay knows.';
    expect(answerTo('Which setting has the relay of senders?', text)).toBe(
      'RELAY The relay may take an eighth of the senders of the machine. It sets the relay of senders. SENDERS The senders that the relay knows.',
    );
  });

  it('are three at most, and none stands further up', () => {
    const text = (heads: string) =>
      `Weather\n\nIt may rain.\n\n${heads}\n\nHow many seconds a test may take.`;
    const asked = 'Can the seconds that a test may take be many?';
    expect(answerTo(asked, text('TIME\n\nTIMEOUT'))).toBe('TIME TIMEOUT How many seconds a test may take.');
    expect(answerTo(asked, text('Time\n\nLimits\n\nSome tests\n\nOther tests'))).toBe(
      'Time Limits Some tests How many seconds a test may take.',
    );
  });

  it('are not said above another heading', () => {
    expect(answerTo('How do I set the relay?', 'Guide\n\nSet the relay with RELAY\n\nTurn on')).toBe(
      'Set the relay with RELAY Turn on',
    );
  });

  it.each(['Decision', 'An example', '2.1. Further notes', 'Overview and usage'])(
    'are left out where any page may have them: %j',
    (heading) => {
      const text = 'The relay of senders is set by `RELAY`.';
      expect(answerTo('How do I set the relay of senders?', `${heading}\n\n${text}`)).toBe(text);
    },
  );

  it('are left out where several passages have them, unless they say what was asked or are names', () => {
    const first = (heading: string): string =>
      extractiveAnswer('How do I set the relay of senders?', [
        { title: 'Guide', text: `${heading}\n\nThe relay of senders is set by RELAY.` },
        { title: 'Other', text: `${heading}\n\nRain falls in the hills.` },
      ])[0]!.text;
    expect(['House rules', 'Relay rules', 'TIMEOUT'].map(first)).toEqual([
      'The relay of senders is set by RELAY.',
      'Relay rules',
      'TIMEOUT',
    ]);
  });

  it('are said once where they answer by themselves', () => {
    expect(answerTo('How do I set the relay?', 'Set the relay with RELAY\n\nTurn on\n\nTurn off')).toBe(
      'Set the relay with RELAY Turn on Turn off',
    );
  });

  it('ask and announce nothing, are no row, and have a hundred characters at most', () => {
    const answer = 'A test is limited by its seconds.';
    for (const heading of ['x'.repeat(100), 'Limits? Of some sort'])
      expect(answerTo('How do I limit tests?', `${heading}\n\n${answer}`)).toBe(`${heading} ${answer}`);
    for (const heading of [
      'x'.repeat(101),
      'How do I limit the tests of some sort?',
      'Limits:',
      'Limits | Some',
    ])
      expect(answerTo('How do I limit tests?', `${heading}\n\n${answer}`)).toBe(answer);
  });

  it('give way to the name of something in code', () => {
    const text = 'Tests\n\ntest.limit(seconds=1)\n\nLimits the seconds that a test takes.';
    expect(answerTo('How do I limit the seconds that a test takes?', text)).toBe(
      'test.limit(seconds=1) Limits the seconds that a test takes.',
    );
  });
});
