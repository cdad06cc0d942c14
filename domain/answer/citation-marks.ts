/**
 * Citation marks in an answer that comes in pieces: `[3]`, `[1, 2]`, and the spellings that models have learnt elsewhere:
 * `[1-3]`, `[^1]`, `【1†source】`, `[citation:1]`. A model numbers what it was given; a reader is
 * given only what is cited, numbered 1, 2, … in the order of first mention: contents as `[1]`, pages of the web, which
 * are numbered apart, as `[W1]`.
 */
export interface CitationMarks extends MarkRewriter {
  /** What was cited so far, as indexes (from 0) into what the model was given, in the order of the new numbers. */
  readonly cited: () => readonly number[];
  /** The same of the pages of the web, as indexes (from 0) into those. */
  readonly citedWeb: () => readonly number[];
}

/** Rewrites the marks of a text that comes in pieces. */
export interface MarkRewriter {
  /** Takes the next piece and answers what can be said now; an unfinished mark is held back. */
  readonly push: (piece: string) => string;
  /** Answers what was held back. */
  readonly flush: () => string;
}

/** `[W1]` too: a model repeats it from earlier answers, or a text wants to look cited. */
const NUMBER = String.raw`\^?W?\d{1,4}`;
/** A number, the last of a range or a place within what is cited, and what a model says of it behind a dagger. */
const ITEM = String.raw`${NUMBER}(?:\s{0,3}[-–—:]\s{0,3}${NUMBER})?(?:†[^\]】\n,;†]{0,30})?`;
const NAMES = ['citation', 'source', 'document', 'doc', 'passage', 'reference', 'ref']
  .map((name) => `[${name.charAt(0).toUpperCase()}${name.charAt(0)}]${name.slice(1)}s?`)
  .join('|');
const MARK = new RegExp(
  String.raw`^[[【]\s{0,3}(?:(?:${NAMES})[\s:#]{0,3})?${ITEM}(?:\s{0,3}[,;]\s{0,3}${ITEM}){0,9}\s{0,3}[\]】]`,
);
/**
 * A text in which nothing is a mark: four hair spaces follow each bracket that would open one. Code between backticks
 * stays as it is. A backtick that opens code without an end becomes an apostrophe.
 */
export const withoutMarks = (text: string): string =>
  outsideCode(closesCode(text) ? text : text.replaceAll('`', "'"), (part) =>
    part.replaceAll(ANY_MARK, (mark) => mark[0] + GAP + mark.slice(1)),
  );
const ANY_MARK = new RegExp(MARK.source.slice(1), 'g');
const GAP = '\u200A'.repeat(4);

/** A text with its parts outside of code rewritten. Code lies between two equal rows of backticks. */
export const outsideCode = (text: string, rewrite: (part: string) => string): string => {
  let fence = '';
  let said = '';
  for (const part of text.split(/(`+)/)) {
    if (part.startsWith('`')) fence = fence === '' ? part : fence === part ? '' : fence;
    said += part.startsWith('`') || fence !== '' ? part : rewrite(part);
  }
  return said;
};

const closesCode = (text: string): boolean => {
  let isOpen = '';
  for (const [row] of text.matchAll(/`+/g)) isOpen = isOpen === '' ? row : isOpen === row ? '' : isOpen;
  return isOpen === '';
};

/** What may become a mark when more text comes. */
const BEGINNING = /^[[【]\s{0,3}(?:[A-Za-z]{0,10}[\s:#]{0,3})?[\dW^\s,;:–—-]{0,200}(?:†[^\]】\n]{0,400})?$/;
/** More than the longest mark has, so that what is held back is all there is. */
const REACH = 640;
/** A longer row of backticks is said before it has ended. */
const MAX_TICKS = 128;
const BLANK = /[ \t\u00A0\u202F]/;
/** What needs no blank before it: white space and marks that close, or that stand behind a word. */
const CLOSES = /[\s\p{Pe}\p{Pf}\p{Po}\p{Pc}~]/u;

/**
 * Rewrites marks as they stream by. The model was given `contents` contents, numbered from 1, and behind them `web`
 * pages of the web, whose numbers go on. Marks beyond them name nothing, nor does a `[W1]` of the model's own: they are
 * left out, and the blank before them goes with them where no word follows. Code (between backticks) is left as it is:
 * `[0]` is an index there.
 */
export const createCitationMarks = (contents: number, web = 0): CitationMarks => {
  const order: number[] = [];
  const webOrder: number[] = [];
  const renumbered = (mark: string): string | null => {
    if (LONG.test(mark)) return null;
    const known = new Set(numbersIn(mark, contents + web));
    return [...known]
      .map((number) =>
        number <= contents
          ? `[${numberOf(order, number - 1)}]`
          : `[W${numberOf(webOrder, number - contents - 1)}]`,
      )
      .join('');
  };
  return { ...createRewriter(renumbered), cited: () => order, citedWeb: () => webOrder };
};

/**
 * Keeps the marks that name one of `known`, each number in brackets of its own, and leaves others out as
 * `createCitationMarks` does.
 */
export const createKnownMarks = (known: ReadonlySet<number>): MarkRewriter => {
  const most = Math.max(0, ...known);
  return createRewriter((mark) => {
    const numbers = [...new Set(numbersIn(mark, most))].filter((number) => known.has(number));
    return numbers.length === 0 && LONG.test(mark) ? null : numbers.map((number) => `[${number}]`).join('');
  });
};

/**
 * Replaces the marks of a numbered answer, `[3]` and `[W1]`, which may come in pieces.
 *
 * @param said what is said in place of a mark; it is not read again
 */
export const createMarkLinks = (said: (mark: string) => string): MarkRewriter =>
  createRewriter((mark) => (/^\[W?\d{1,4}\]$/.test(mark) ? said(mark) : null));

/** More digits than a prompt has passages: a year, perhaps. */
const LONG = /\d{4}/;

/** @param rewritten what is said in place of a mark; null: it is none */
const createRewriter = (rewritten: (mark: string) => string | null): MarkRewriter => {
  let held = '';
  let fence = '';
  /** The last character, where it is a blank: it is not said before it is clear that it stays. */
  let blank = '';
  /** Whether a mark was left out behind `blank`. */
  let dropped = false;

  const say = (text: string): string => {
    if (text === '') return '';
    const before = dropped && CLOSES.test(text.charAt(0)) ? '' : blank;
    blank = fence === '' && BLANK.test(text.slice(-1)) ? text.slice(-1) : '';
    dropped = false;
    return before + text.slice(0, text.length - blank.length);
  };
  const sayMark = (mark: string): string => {
    const said = rewritten(mark);
    if (said === null) return say(mark);
    dropped ||= said === '';
    return say(said);
  };

  /** Reads `text` up to where it may go on as a mark or as a row of backticks; that rest is held back. */
  const read = (text: string, last: boolean): string => {
    let said = '';
    for (let at = 0; at < text.length;) {
      const next = fence === '' ? /[`[【]/g : /`/g;
      next.lastIndex = at;
      const found = next.exec(text)?.index ?? text.length;
      said += say(text.slice(at, found));
      const rest = text.slice(found, found + REACH);
      if (rest === '') return said;
      if (rest.startsWith('`')) {
        const ticks = /^`+/.exec(rest)![0];
        if (found + ticks.length === text.length && !last && ticks.length < MAX_TICKS)
          return hold(said, ticks);
        said += say(ticks);
        if (fence === '') fence = ticks;
        else if (fence === ticks) fence = '';
        at = found + ticks.length;
        continue;
      }
      const mark = MARK.exec(rest)?.[0];
      if (mark === undefined && !last && BEGINNING.test(rest)) return hold(said, rest);
      said += mark === undefined ? say(rest.charAt(0)) : sayMark(mark);
      at = found + (mark?.length ?? 1);
    }
    return said;
  };
  const hold = (said: string, rest: string): string => {
    held = rest;
    return said;
  };
  /** The text has ended: a blank before a mark that was left out is not needed. */
  const lastBlank = (): string => {
    const said = dropped ? '' : blank;
    blank = '';
    dropped = false;
    return said;
  };

  return {
    push: (piece) => {
      const text = held + piece;
      held = '';
      return read(text, false);
    },
    flush: () => {
      const text = held;
      held = '';
      return read(text, true) + lastBlank();
    },
  };
};

/** Those of `[W1]`, and what stands behind a colon or a dagger, are none. */
const CITED =
  /(?<![\dW])(W?)(\d{1,4})(?:\s{0,3}[-–—]\s{0,3}\^?(\d{1,4})|\s{0,3}:\s{0,3}\d{1,4})?(?:†[^\]】\n,;†]*)?/g;

/** The numbers from 1 to `most` that a mark names, in its order. */
const numbersIn = (mark: string, most: number): readonly number[] =>
  [...mark.matchAll(CITED)].flatMap(([, isOwn, digits, until = digits]) => {
    const [first, last] = [Math.max(1, Number(digits)), Math.min(most, Number(until))];
    if (isOwn !== '' || last < first) return [];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });

const numberOf = (order: number[], index: number): number => {
  const known = order.indexOf(index);
  return known === -1 ? order.push(index) : known + 1;
};
