import { LOOK_BEHIND } from '../../domain/redaction/detectors/detector.ts';
import { MAX_KEY_LENGTH } from '../../domain/redaction/detectors/key.ts';
import { type CompiledRules, type Match, matchesOf, merge } from './redactor.ts';

export interface StreamRedactor {
  /** Takes the next piece of the text. Returns the text that is now safe to show; may be empty. */
  readonly push: (delta: string) => string;
  /** Ends the text and returns the rest. Nothing may be pushed afterwards. */
  readonly flush: () => string;
}

/** Maximum characters that are held back; beyond that, matches are decided without the following text. */
const MAX_HELD_CHARACTERS = MAX_KEY_LENGTH + 2_048;

/**
 * Redacts a text while it streams. The concatenated output equals the output of `redact` for the whole text, however
 * it was split: text is held back as long as it may be part of a match. Held back at the end are: a word in progress
 * for most kinds (up to 170 characters with a possible account number or quoted name), up to 194 characters of digits
 * and signs, up to 16,384 characters for a token or a PEM block, and always 257 characters if there are patterns. A
 * pattern match of more than 256 characters, and any match of more than 16,384, may be missed in part. Invisible
 * characters do not count.
 */
export const createStreamRedactor = (compiled: CompiledRules): StreamRedactor => {
  const { rules, replacements } = compiled;
  /** The text from shortly before the end of the output, original and with replacements masked. */
  let raw = '';
  let masked = '';
  /** The end of the input that may still become a replacement. */
  let unread = '';
  let shown = 0;
  /** The offset at which each rule continues its search. */
  let resume = rules.map(() => 0);
  let matches: readonly Match[] = [];

  const read = (delta: string, final: boolean): void => {
    unread += delta;
    const { text, settled } = replacements.mask(unread, final);
    raw += unread.slice(0, settled);
    masked += text.slice(0, settled);
    unread = unread.slice(settled);
  };

  /** Searches the settled text. Returns the offset up to which every rule is certain. */
  const scan = (final: boolean): number => {
    let sure = masked.length;
    const found: Match[] = [...matches];
    resume = rules.map((rule, i) => {
      const from = resume[i] ?? 0;
      const settled = final ? masked.length : Math.max(from, rule.detector.settledUpTo(masked));
      sure = Math.min(sure, settled);
      const fresh = matchesOf(rule, masked, raw, from).filter(({ start }) => start < settled);
      found.push(...fresh);
      return Math.max(settled, fresh.at(-1)?.end ?? 0);
    });
    matches = found;
    return sure;
  };

  const show = (sure: number, final: boolean): string => {
    const merged = merge(inRuleOrder(matches, compiled));
    const open = merged.find(({ start, end }) => start < sure && end > sure);
    const decided = Math.min(sure, open?.start ?? sure);
    const upTo = final ? decided : Math.max(shown, wholeCharacters(raw, decided));
    const parts: string[] = [];
    for (const { start, end, rule } of merged) {
      if (end > upTo) break;
      parts.push(raw.slice(shown, start), rule.replacement);
      shown = end;
    }
    parts.push(raw.slice(shown, upTo));
    shown = upTo;
    matches = matches.filter(({ end }) => end > upTo);
    dropShown(Math.max(0, shown - LOOK_BEHIND));
    return parts.join('');
  };

  const dropShown = (count: number): void => {
    if (count === 0) return;
    raw = raw.slice(count);
    masked = masked.slice(count);
    shown -= count;
    resume = resume.map((at) => at - count);
    matches = matches.map(({ start, end, rule }) => ({ start: start - count, end: end - count, rule }));
  };

  return {
    push: (delta) => {
      if (rules.length === 0) return delta;
      read(delta, false);
      return show(scan(masked.length - shown > MAX_HELD_CHARACTERS), false);
    },
    flush: () => {
      read('', true);
      return show(scan(true), true);
    },
  };
};

/** Orders matches as `redact` finds them: of equally long matches, the one of the first rule wins. */
const inRuleOrder = (matches: readonly Match[], { rules }: CompiledRules): readonly Match[] =>
  matches.toSorted((a, b) => rules.indexOf(a.rule) - rules.indexOf(b.rule));

/** Never ends the output in the middle of a surrogate pair, which could not be sent. */
const wholeCharacters = (text: string, upTo: number): number => {
  const last = text.charCodeAt(upTo - 1);
  return last >= 0xd800 && last <= 0xdbff ? upTo - 1 : upTo;
};
