/** A passage as a document has it: `start` and `end` are offsets in the text. */
export interface Placed {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** A stretch of text that the same passages cover. */
export interface Stretch {
  readonly text: string;
  /** Indices of the passages. */
  readonly covers: readonly number[];
}

/** Shorter repetitions may be chance: they are shown twice. */
const SHORTEST = 16;
/** No passage repeats more of the one before it. */
const LONGEST = 4_000;

/**
 * The text of a document, put together from its passages in reading order: what one repeats from the end of the one
 * before it stands there once.
 */
export const textOf = (
  passages: readonly { readonly id: string; readonly text: string }[],
): { readonly text: string; readonly placed: readonly Placed[] } => {
  const parts: string[] = [];
  const placed: Placed[] = [];
  let length = 0;
  for (const [i, { id, text }] of passages.entries()) {
    const repeated = i === 0 ? 0 : repetition(passages[i - 1]!.text, text);
    const between = i === 0 || repeated > 0 ? '' : '\n\n';
    const start = length + between.length - repeated;
    parts.push(between, text.slice(repeated));
    length = start + text.length;
    placed.push({ id, start, end: length });
  }
  return { text: parts.join(''), placed };
};

/** How much of the beginning of `text` is the end of `before`, in whole words, without being all of either. */
const repetition = (before: string, text: string): number => {
  const most = Math.min(before.length - 1, text.length - 1, LONGEST);
  for (let length = most; length >= SHORTEST; length -= 1)
    if (
      isBreak(text[length]) &&
      isBreak(before[before.length - length - 1]) &&
      before.endsWith(text.slice(0, length))
    )
      return length;
  return 0;
};

const isBreak = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

/** The text in stretches, one behind the other. */
export const stretchesOf = (text: string, placed: readonly Placed[]): readonly Stretch[] => {
  const bounds = [...new Set([0, ...placed.flatMap(({ start, end }) => [start, end]), text.length])];
  bounds.sort((a, b) => a - b);
  let first = 0;
  return bounds.slice(0, -1).map((from, i) => {
    while (first < placed.length && placed[first]!.end <= from) first += 1;
    const covers: number[] = [];
    for (let at = first; at < placed.length && placed[at]!.start <= from; at += 1) covers.push(at);
    return { text: text.slice(from, bounds[i + 1]), covers };
  });
};
