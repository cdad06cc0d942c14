import type { Detector } from './detector.ts';

/** Invisible characters: soft hyphens, zero-width spaces and joiners, and byte order marks. */
const INVISIBLE = '\u00AD\u200B\u200C\u200D\u2060\uFEFF';
/** Longer runs of invisible characters separate words, so that the context of a detector stays bounded. */
const MAX_INVISIBLE = 4;
const RUN = new RegExp(`[${INVISIBLE}]+`, 'g');
/** The digit 0 of scripts with their own digits; the digits 1 to 9 follow it directly. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];
const DIGITS = new Map(
  ZEROS.flatMap((zero) =>
    Array.from('0123456789', (digit, i) => [String.fromCharCode(zero + i), digit] as const),
  ),
);
/**
 * Full-width ASCII, compatibility forms (NFKC) of `@`, the full stop and the space, and the digits of all scripts.
 * Each is one UTF-16 unit, like its plain form.
 */
const WIDE = new RegExp(`[\\uFF01-\\uFF5E\\uFE6B\\uFE52\\u2024\\u3000${[...DIGITS.keys()].join('')}]`, 'g');
const FOLDABLE = new RegExp(`${WIDE.source}|[${INVISIBLE}]`);

const isInvisible = (char: string): boolean => char !== '' && INVISIBLE.includes(char);

const narrowChar = (char: string): string => {
  const digit = DIGITS.get(char);
  if (digit !== undefined) return digit;
  if (char === '\u3000') return ' ';
  if (char === '\uFE6B') return '@';
  if (char === '\uFE52' || char === '\u2024') return '.';
  return String.fromCharCode(char.charCodeAt(0) - 0xfee0);
};

/** Replaces wide forms by plain ones; keeps the length. */
const narrow = (text: string): string => text.replaceAll(WIDE, narrowChar);

/** Whether a text contains foldable characters. */
export const isFoldable = (text: string): boolean => FOLDABLE.test(text);

/** Wraps a detector: sees wide forms as plain ones; invisible characters still separate. As local as the detector. */
export const narrowed = (detector: Detector): Detector => ({
  find: (text, from) => detector.find(narrow(text), from),
  settledUpTo: (text) => detector.settledUpTo(narrow(text)),
});

/**
 * Wraps a detector: sees wide forms as plain ones, and skips invisible characters. Matches have offsets in the
 * original text. Linear; as local as the detector, with up to `MAX_INVISIBLE` extra characters per character.
 *
 * Used in addition to `narrowed`, because an invisible character may also be a separator.
 */
export const folded = (detector: Detector): Detector => ({
  find: (text, from) => {
    const { view, viewOf, offsetOf } = fold(text);
    return detector
      .find(view, viewOf(from))
      .map(({ start, end }) => ({ start: offsetOf(start), end: offsetOf(end - 1) + 1 }));
  },
  settledUpTo: (text) => {
    const run = trailingRun(text);
    // Whether a trailing run is skipped is known only when another character follows.
    const known = text.length - run > MAX_INVISIBLE ? text : text.slice(0, run);
    const { view, offsetOf } = fold(known);
    const settled = detector.settledUpTo(view);
    return settled < view.length ? offsetOf(settled) : known.length;
  },
});

const trailingRun = (text: string): number => {
  const earliest = Math.max(0, text.length - MAX_INVISIBLE - 1);
  let start = text.length;
  while (start > earliest && isInvisible(text.charAt(start - 1))) start -= 1;
  return start;
};

interface Fold {
  readonly view: string;
  /** Offset in the view of the first character at or after an offset of the text. */
  readonly viewOf: (offset: number) => number;
  readonly offsetOf: (inView: number) => number;
}

const fold = (text: string): Fold => {
  const plain = narrow(text);
  /** Where the text continues after skipped characters: offset in the text, and in the view. */
  const starts = [{ offset: 0, inView: 0 }];
  const parts: string[] = [];
  let done = 0;
  let length = 0;
  for (const { 0: run, index } of plain.matchAll(RUN)) {
    if (run.length > MAX_INVISIBLE) continue;
    parts.push(plain.slice(done, index));
    length += index - done;
    done = index + run.length;
    starts.push({ offset: done, inView: length });
  }
  parts.push(plain.slice(done));
  const view = parts.join('');
  return {
    view,
    viewOf: (offset) => {
      const i = lastUpTo(starts.length, (n) => starts[n]!.offset <= offset);
      const { offset: start, inView } = starts[i]!;
      return Math.min(inView + offset - start, starts[i + 1]?.inView ?? view.length);
    },
    offsetOf: (inView) => {
      const at = starts[lastUpTo(starts.length, (i) => starts[i]!.inView <= inView)]!;
      return at.offset + inView - at.inView;
    },
  };
};

/** The last index that passes, if all earlier ones do; index 0 always passes. */
const lastUpTo = (count: number, passes: (index: number) => boolean): number => {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
};
