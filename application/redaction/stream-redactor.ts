import { LOOK_BEHIND } from '../../domain/redaction/detectors/detector.ts';
import { LONGEST_KEY } from '../../domain/redaction/detectors/key.ts';
import { type CompiledRules, type Match, matchesOf, merge } from './redactor.ts';

export interface StreamRedactor {
  /** Takes the next piece of a text. Answers what is safe to be shown of all so far; may be empty. */
  readonly push: (delta: string) => string;
  /** The text has ended. Answers the rest; afterwards nothing may be pushed. */
  readonly flush: () => string;
}

/** Characters that are held at most; what is still undecided then is decided as it stands. */
const MAX_HELD = LONGEST_KEY + 2_048;

/**
 * Redacts a text while it comes. All that was answered, put together, is what `redact` makes of the whole text, however
 * it was cut: nothing is shown as long as it may belong to a match. Held back is the end of the text as far as
 * something there may be part of one: a word in progress for most kinds (with what may be an account number or a quoted
 * name, up to 170), up to 194 characters of figures and signs, up to 16,384 for a token or a PEM block, and always 257
 * where there are patterns. A match of a pattern of
 * more than 256 characters, and anything of more than 16,384, may be cut. Invisible characters do not count there.
 */
export const createStreamRedactor = (compiled: CompiledRules): StreamRedactor => {
  const { rules, replacements } = compiled;
  /** The text from a little before what was not shown yet, as it came and with its replacements masked. */
  let raw = '';
  let masked = '';
  /** What may yet turn out to be a replacement. */
  let unread = '';
  let shown = 0;
  /** For each rule, where it goes on looking. */
  let resume = rules.map(() => 0);
  let matches: readonly Match[] = [];

  const read = (delta: string, final: boolean): void => {
    unread += delta;
    const { text, settled } = replacements.mask(unread, final);
    raw += unread.slice(0, settled);
    masked += text.slice(0, settled);
    unread = unread.slice(settled);
  };

  /** Looks through what is settled. Answers up to where every rule is sure. */
  const look = (final: boolean): number => {
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
    forget(Math.max(0, shown - LOOK_BEHIND));
    return parts.join('');
  };

  const forget = (count: number): void => {
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
      return show(look(masked.length - shown > MAX_HELD), false);
    },
    flush: () => {
      read('', true);
      return show(look(true), true);
    },
  };
};

/** As `redact` finds them: of equally long matches the rule that comes first wins. */
const inRuleOrder = (matches: readonly Match[], { rules }: CompiledRules): readonly Match[] =>
  matches.toSorted((a, b) => rules.indexOf(a.rule) - rules.indexOf(b.rule));

/** No half of a surrogate pair is shown, since it could not be sent. */
const wholeCharacters = (text: string, upTo: number): number => {
  const last = text.charCodeAt(upTo - 1);
  return last >= 0xd800 && last <= 0xdbff ? upTo - 1 : upTo;
};
