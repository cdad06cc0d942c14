import { describe, expect, it } from 'vitest';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

const answerTo = (question: string, text: string): string =>
  answerPieces(extractiveAnswer(question, [{ title: 'Guide', text }]), false).join('');
const TIMEOUT =
  'TIMEOUT\n\nHow many seconds a test may take. Tests that take more are killed.\n\nWeather\n\nIt may rain.';
const steps = (count: number, text: string): string =>
  Array.from({ length: count }, (_, i) => `${text} ${i}.`).join('\n\n');

describe('an answer to how something is done', () => {
  it('begins with the heading that it stands under, which may be the name of what does it', () => {
    expect(answerTo('How do I limit the seconds that a test takes?', TIMEOUT)).toBe(
      'TIMEOUT How many seconds a test may take. Tests that take more are killed.',
    );
    expect(answerTo('Can the seconds that a test may take be many?', TIMEOUT)).not.toContain('TIMEOUT');
  });

  it('has the heading before all that it says of the section', () => {
    const text =
      'Relayed\n\nThe relay may take an eighth of the senders of the machine. `RELAY` sets the relay of senders.';
    expect(answerTo('How do I set the relay of senders?', text)).toBe(text.replace('\n\n', ' '));
  });

  it.each(['Decision', 'An example', '2.1. Further notes', 'Overview and usage'])(
    'does not begin with a heading that any page may have: %j',
    (heading) => {
      const text = 'The relay of senders is set by `RELAY`.';
      expect(answerTo('How do I set the relay of senders?', `${heading}\n\n${text}`)).toBe(text);
    },
  );

  it('does not begin with a heading that several passages have, unless it says what was asked or is a name', () => {
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

  it('says a heading once that answers by itself', () => {
    expect(answerTo('How do I set the relay?', 'Set the relay with RELAY\n\nTurn on\n\nTurn off')).toBe(
      'Set the relay with RELAY Turn on Turn off',
    );
  });

  it('does not begin with a question, nor with a long line', () => {
    const asked = 'How do I limit tests?\n\nA test is limited by its seconds.';
    expect(answerTo('How do I limit tests?', asked)).toBe('A test is limited by its seconds.');
    const line = `Tests ${'of some sort '.repeat(10)}here`;
    expect(answerTo('How do I limit tests?', `${line}\n\nA test is limited by its seconds.`)).not.toContain(
      'of some sort',
    );
  });

  it('begins with a heading of a hundred characters, and with one that asks only on its way', () => {
    const answer = 'A test is limited by its seconds.';
    for (const heading of ['x'.repeat(100), 'Limits? Of tests'])
      expect(answerTo('How do I limit tests?', `${heading}\n\n${answer}`)).toBe(`${heading} ${answer}`);
    expect(answerTo('How do I limit tests?', `${'x'.repeat(101)}\n\n${answer}`)).toBe(answer);
  });

  it('goes on to a piece of six hundred characters, and not to a longer one', () => {
    const said = (length: number) =>
      answerTo('How do senders get relays?', `Senders may have relays.\n\n${'x'.repeat(length)}`);
    expect(said(600)).toContain('x'.repeat(600));
    expect(said(601)).not.toContain('x');
  });

  it('has one name alone: no heading where the term that is described stands before it', () => {
    const text = 'Tests\n\ntest.limit(seconds=1)\n\nLimits the seconds that a test takes.';
    expect(answerTo('How do I limit the seconds that a test takes?', text)).toBe(
      'test.limit(seconds=1) Limits the seconds that a test takes.',
    );
  });

  it('goes on to the example below, and no further than eight pieces or its section', () => {
    const text =
      'Senders may have relays. This is useful.\n\nEach has its own password, as in this file:\n\n    relay_maps = hash:senders\n\nWeather\n\nIt may rain.';
    expect(answerTo('How do senders get relays?', text)).toContain('relay_maps = hash:senders');
    expect(answerTo('How do senders get relays?', text)).not.toContain('rain');
    const many = answerTo(
      'How do senders get relays?',
      `Senders may have relays.\n\n${steps(9, 'Then go on')}`,
    );
    expect(many).toContain('Then go on 7.');
    expect(many).not.toContain('Then go on 8.');
  });

  it('stops before a long piece, and where there is no more room', () => {
    const long = `${'some words '.repeat(60)}end.`;
    const text = `Senders may have relays.\n\nIt is so.\n\n${long}\n\nThe end comes.`;
    const answer = answerTo('How do senders get relays?', text);
    expect(answer).toContain('It is so.');
    expect(answer).not.toContain('The end comes.');
    const full = answerTo(
      'How do senders get relays?',
      `Senders may have relays.\n\n${steps(6, 'more words '.repeat(40))}`,
    );
    expect(full.length).toBeLessThanOrEqual(1_700);
    expect(full).toContain(' 2.');
    expect(full).not.toContain(' 3.');
  });
});
