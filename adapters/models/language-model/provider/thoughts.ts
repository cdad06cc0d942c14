import type { FinishReason, ModelEvent } from '../../../../application/ports/language-model.ts';
import type { ModelText } from './surrogate-joiner.ts';

/** How reasoning models mark their thoughts, where the server in front of them takes them for the answer. */
const MARKS: readonly (readonly [open: string, close: RegExp])[] = [
  ['<think>', /<\/think>/i],
  ['<thinking>', /<\/thinking>/i],
  ['<thought>', /<\/thought>/i],
  ['<reasoning>', /<\/reasoning>/i],
  ['[think]', /\[\/think\]/i],
  ['◁think▷', /◁\/think▷/i],
];

/** Where the prompt of a model ends with the opening mark, its answer has the closing one alone. */
const LONE_CLOSE = new RegExp(MARKS.map(([, { source }]) => source).join('|'), 'i');
const LONGEST_CLOSE = 12;
/** The end of a text that may be the beginning of a closing mark. */
const BEGUN_CLOSE = /[<[◁][^<[◁]{0,10}$/;

/** Whether answers of a model begin within a thought; unknown until the first one has ended. */
export type Beginning = 'unknown' | 'answer' | 'thought';

interface ThoughtSplitter {
  /** What may be passed on of this piece and what was held back. */
  readonly add: (text: string) => readonly ModelText[];
  /** The server tells this model's thoughts apart: the answer need not be held back, unless it has begun. */
  readonly isToldApart: () => void;
  /** What is left. */
  readonly end: (reason: FinishReason) => readonly ModelText[];
  /** How the answer began, as far as it has shown. */
  readonly beginning: () => Beginning;
}

/**
 * Tells the thoughts with which an answer begins apart, and drops the white space around them. Marks further on are
 * words of the answer, which may be about such models.
 */
export const createThoughtSplitter = (known: Beginning): ThoughtSplitter => {
  let expected = known;
  let held = '';
  /** The mark that ends the open thought; null: none is open. */
  let close: RegExp | null = null;
  let hasThought = false;
  /** Whether nothing but white space of the thought has come. */
  let isBlank = true;
  let isAnswer = false;
  let beginning: Beginning = 'unknown';
  let tail = '';

  /** Reads what is held, as far as it is certain. */
  const read = (): readonly ModelText[] => {
    const pieces: ModelText[] = [];
    for (;;) {
      if (close !== null) {
        const end = close.exec(held);
        pieces.push(...thought(end?.index ?? BEGUN_CLOSE.exec(held)?.index ?? held.length));
        if (end === null) return pieces;
        held = held.slice(end[0].length);
        close = null;
      }
      const begun = held.trimStart().toLowerCase();
      const mark = MARKS.find(([open]) => begun.startsWith(open));
      if (mark === undefined) {
        if (MARKS.some(([open]) => open.startsWith(begun))) return pieces;
        return [...pieces, ...(hasThought || expected === 'answer' ? rest() : readWithoutOpening())];
      }
      hasThought = true;
      held = held.trimStart().slice(mark[0].length);
      close = mark[1];
      isBlank = true;
    }
  };
  /** What is held up to here, as a thought. */
  const thought = (end: number): readonly ModelText[] => {
    const text = isBlank ? held.slice(0, end).trimStart() : held.slice(0, end);
    held = held.slice(end);
    isBlank &&= text === '';
    return text === '' ? [] : [{ kind: 'reasoning', text }];
  };
  /** Of an answer that may have begun within a thought. */
  const readWithoutOpening = (): readonly ModelText[] => {
    const mark = LONE_CLOSE.exec(held);
    if (mark === null || isWordOf(held.slice(0, mark.index))) return [];
    beginning = 'thought';
    hasThought = true;
    const pieces = thought(mark.index);
    held = held.slice(mark[0].length);
    return [...pieces, ...rest()];
  };
  const rest = (): readonly ModelText[] => {
    isAnswer = true;
    const text = hasThought ? held.trimStart() : held;
    if (hasThought && text === '') isAnswer = false;
    held = '';
    if (!hasThought) watch(text);
    return text === '' ? [] : [{ kind: 'delta', text }];
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
        return [{ kind: 'delta', text }];
      }
      held += text;
      return read();
    },
    isToldApart: () => {
      if (held === '') expected = 'answer';
    },
    end: (reason) => {
      const isCutThought = expected === 'thought' && !hasThought && !isAnswer && reason === 'length';
      if (close !== null || isCutThought) return thought(held.length);
      const left = rest();
      if (beginning === 'unknown' && left.length > 0) beginning = 'answer';
      return left;
    },
    beginning: () => (beginning === 'unknown' && isAnswer ? 'answer' : beginning),
  };
};

/** Whether a mark after this text is one that the answer speaks of: quoted, or with its opening mark. */
const isWordOf = (before: string): boolean =>
  /[`"'“‘]$/.test(before) || MARKS.some(([open]) => before.toLowerCase().includes(open));

/**
 * The events of a model's answers with the thoughts in their text told apart. Until the first answer has ended it is
 * held back whole: only its end tells whether answers of this model begin within a thought, whose opening mark was in the prompt.
 *
 * @param first `answer` for models whose interface tells thoughts apart
 */
export const createThoughtFilter = (first: Beginning = 'unknown') => {
  let expected = first;
  return async function* (events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void, undefined> {
    const thoughts = createThoughtSplitter(expected);
    let hasEnded = false;
    for await (const event of events) {
      if (event.kind === 'delta') {
        yield* thoughts.add(event.text);
        continue;
      }
      if (event.kind === 'reasoning') thoughts.isToldApart();
      else if (!hasEnded) {
        yield* thoughts.end(event.kind === 'finish' ? event.reason : 'stop');
        hasEnded = true;
        if (thoughts.beginning() !== 'unknown' && expected !== 'thought') expected = thoughts.beginning();
      }
      yield event;
    }
  };
};
