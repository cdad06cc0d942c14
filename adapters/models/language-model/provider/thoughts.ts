import type { FinishReason, ModelEvent } from '../../../../application/ports/language-model.ts';

/** How reasoning models mark their thoughts, where the server in front of them takes them for the answer. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
];

/** Where the prompt of a model ends with the opening mark, its answer has the closing one alone. */
const LONE_CLOSE = /<\/think(?:ing)?>|<\/thought>|<\/reasoning>|\[\/think\]|◁\/think▷/i;
const LONGEST_CLOSE = 12;

/** Whether answers of a model begin within a thought; unknown until the first one has ended. */
export type Beginning = 'unknown' | 'answer' | 'thought';

interface ThoughtFilter {
  /** What may be passed on of this piece and what was held back. */
  readonly add: (text: string) => string;
  /** What is left: nothing of a thought that did not end. */
  readonly end: (reason: FinishReason) => string;
  /** How the answer began, as far as it has shown. */
  readonly beginning: () => Beginning;
}

/**
 * Leaves out the thoughts with which an answer begins, and the white space around them. Marks further on are words of
 * the answer, which may be about such models.
 */
const createFilter = (expected: Beginning): ThoughtFilter => {
  let held = '';
  /** The mark that ends the open thought; null: none is open. */
  let close: string | null = null;
  let hasThought = false;
  let isAnswer = false;
  let beginning: Beginning = 'unknown';
  let tail = '';

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
        if (hasThought || expected === 'answer') return rest();
        return readWithoutOpening();
      }
      hasThought = true;
      held = held.trimStart().slice(mark[0].length);
      close = mark[1];
    }
  };
  /** Of an answer that may have begun within a thought. */
  const readWithoutOpening = (): string => {
    const mark = LONE_CLOSE.exec(held);
    if (mark === null || isWordOf(held.slice(0, mark.index))) return '';
    beginning = 'thought';
    hasThought = true;
    held = held.slice(mark.index + mark[0].length);
    return rest();
  };
  const rest = (): string => {
    isAnswer = true;
    const text = hasThought ? held.trimStart() : held;
    if (hasThought && text === '') isAnswer = false;
    held = '';
    if (!hasThought) watch(text);
    return text;
  };
  /** A lone mark that comes too late to hold this answer back: the next one will be. */
  const watch = (text: string): void => {
    const seen = tail + text;
    const mark = LONE_CLOSE.exec(seen);
    if (mark !== null && !isWordOf(seen.slice(0, mark.index))) beginning = 'thought';
    tail = seen.slice(-LONGEST_CLOSE);
  };

  return {
    add: (text) => {
      if (isAnswer) {
        if (!hasThought) watch(text);
        return text;
      }
      held += text;
      return read();
    },
    end: (reason) => {
      const isCutThought = expected === 'thought' && !hasThought && !isAnswer && reason === 'length';
      if (close !== null || isCutThought) return '';
      const text = rest();
      if (beginning === 'unknown' && text !== '') beginning = 'answer';
      return text;
    },
    beginning: () => (beginning === 'unknown' && isAnswer ? 'answer' : beginning),
  };
};

/** Whether a mark after this text is one that the answer speaks of: quoted, or with its opening mark. */
const isWordOf = (before: string): boolean =>
  /[`"'“‘]$/.test(before) || MARKS.some(([open]) => before.toLowerCase().includes(open));

/**
 * The events of a model's answers without the thoughts in their text. Until the first answer has ended it is held back
 * whole: only its end tells whether answers of this model begin within a thought, whose opening mark was in the prompt.
 *
 * @param first `answer` for models whose interface tells thoughts apart
 */
export const createThoughtFilter = (first: Beginning = 'unknown') => {
  let expected = first;
  return async function* (events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void, undefined> {
    const thoughts = createFilter(expected);
    let hasEnded = false;
    for await (const event of events) {
      if (event.kind === 'delta') {
        const text = thoughts.add(event.text);
        if (text !== '') yield { kind: 'delta', text };
        continue;
      }
      const text = hasEnded ? '' : thoughts.end(event.kind === 'finish' ? event.reason : 'stop');
      hasEnded = true;
      if (thoughts.beginning() !== 'unknown' && expected !== 'thought') expected = thoughts.beginning();
      if (text !== '') yield { kind: 'delta', text };
      yield event;
    }
  };
};
