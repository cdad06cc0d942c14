import type { ModelEvent } from '../../../../application/ports/language-model.ts';

/** How reasoning models mark their thoughts, where the server in front of them takes them for the answer. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
];

interface ThoughtFilter {
  /** What may be passed on of this piece and what was held back. */
  readonly add: (text: string) => string;
  /** What is left: nothing of a thought that did not end. */
  readonly end: () => string;
}

/**
 * Leaves out the thoughts with which an answer begins, and the white space around them. Marks further on are words of
 * the answer, which may be about such models.
 */
const createThoughtFilter = (): ThoughtFilter => {
  let held = '';
  /** The mark that ends the open thought; null: none is open. */
  let close: string | null = null;
  let hasThought = false;
  let isAnswer = false;

  /** Reads what is held, as far as it is certain. */
  const read = (): string => {
    for (;;) {
      if (close !== null) {
        const end = held.toLowerCase().indexOf(close);
        if (end === -1) {
          held = held.slice(Math.max(0, held.length - close.length + 1));
          return '';
        }
        held = held.slice(end + close.length);
        close = null;
      }
      const begun = held.trimStart().toLowerCase();
      const mark = MARKS.find(([open]) => begun.startsWith(open));
      if (mark === undefined) {
        if (MARKS.some(([open]) => open.startsWith(begun))) return '';
        isAnswer = true;
        return rest();
      }
      hasThought = true;
      held = held.trimStart().slice(mark[0].length);
      close = mark[1];
    }
  };
  const rest = (): string => {
    const text = hasThought ? held.trimStart() : held;
    held = '';
    return text;
  };

  return {
    add: (text) => {
      if (isAnswer) return text;
      held += text;
      return read();
    },
    end: () => (close === null ? rest() : ''),
  };
};

/** The events of an answer without the thoughts in its text. */
export async function* withoutThoughts(
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void, undefined> {
  const thoughts = createThoughtFilter();
  let hasEnded = false;
  for await (const event of events) {
    if (event.kind === 'delta') {
      const text = thoughts.add(event.text);
      if (text !== '') yield { kind: 'delta', text };
      continue;
    }
    const text = hasEnded ? '' : thoughts.end();
    hasEnded = true;
    if (text !== '') yield { kind: 'delta', text };
    yield event;
  }
}
