import type { Detector } from './detector.ts';

/** Soft hyphens, spaces and joiners without width, and byte order marks: nobody sees them. */
const INVISIBLE = '\u00AD\u200B\u200C\u200D\u2060\uFEFF';
/** So many in a row are looked over; more separate, so that what a detector looks at stays bounded. */
const MOST_INVISIBLE = 4;
const RUN = new RegExp(`[${INVISIBLE}]+`, 'g');
/** Compatibility forms of `@`, the full stop and ASCII in full width (NFKC); one UTF-16 unit each, like their likes. */
const WIDE = /[\uFF01-\uFF5E\uFE6B\uFE52\u2024]/g;
const FOLDABLE = new RegExp(`${WIDE.source}|[${INVISIBLE}]`);

const isInvisible = (char: string): boolean => char !== '' && INVISIBLE.includes(char);

const narrowChar = (char: string): string => {
  if (char === '\uFE6B') return '@';
  if (char === '\uFE52' || char === '\u2024') return '.';
  return String.fromCharCode(char.charCodeAt(0) - 0xfee0);
};

/** As long as the text. */
const narrow = (text: string): string => text.replaceAll(WIDE, narrowChar);

/** Whether a text holds anything that is folded. */
export const isFoldable = (text: string): boolean => FOLDABLE.test(text);

/** The same detector over the text with its wide forms as plain ones; what nobody sees separates. As local as that. */
export const narrowed = (detector: Detector): Detector => ({
  find: (text, from) => detector.find(narrow(text), from),
  settledUpTo: (text) => detector.settledUpTo(narrow(text)),
});

/**
 * The same detector over the text as it looks: wide forms as plain ones, and without characters that nobody sees. What
 * it finds are offsets of the text as it is. Linear, and as local as the detector, `MOST_INVISIBLE` characters for one.
 *
 * It stands beside `narrowed`, not in its place: a character without width may also be what separates.
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
    // Whether these are looked over is known when something else follows.
    const known = text.length - run > MOST_INVISIBLE ? text : text.slice(0, run);
    const { view, offsetOf } = fold(known);
    const settled = detector.settledUpTo(view);
    return settled < view.length ? offsetOf(settled) : known.length;
  },
});

const trailingRun = (text: string): number => {
  const least = Math.max(0, text.length - MOST_INVISIBLE - 1);
  let start = text.length;
  while (start > least && isInvisible(text.charAt(start - 1))) start -= 1;
  return start;
};

interface Fold {
  readonly view: string;
  /** Of the first character at or behind an offset of the text. */
  readonly viewOf: (offset: number) => number;
  readonly offsetOf: (inView: number) => number;
}

const fold = (text: string): Fold => {
  const plain = narrow(text);
  /** Where the text goes on behind what was left out: there, and in the view. */
  const starts = [{ offset: 0, inView: 0 }];
  const parts: string[] = [];
  let done = 0;
  let length = 0;
  for (const { 0: run, index } of plain.matchAll(RUN)) {
    if (run.length > MOST_INVISIBLE) continue;
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

/** The last index that passes, where all before it do, the first one always. */
const lastUpTo = (count: number, passes: (index: number) => boolean): number => {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
};
