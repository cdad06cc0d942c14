import { describe, expect, it } from 'vitest';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

const answerTo = (question: string, text: string): string =>
  answerPieces(extractiveAnswer(question, [{ title: 'Guide', text }]), false).join('');
const steps = (count: number, text: string): string =>
  Array.from({ length: count }, (_, i) => `${text} ${i}.`).join('\n\n');

describe('an answer to how something is done', () => {
  it('goes on to a piece of six hundred characters, and not to a longer one', () => {
    const said = (length: number) =>
      answerTo('How do senders get relays?', `Senders may have relays.\n\n${'x'.repeat(length)}`);
    expect(said(600)).toContain('x'.repeat(600));
    expect(said(601)).not.toContain('x');
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
