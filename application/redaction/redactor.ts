import { type RedactionRule, replacementOf, type RuleKind } from '../../domain/redaction/index.ts';
import { DETECTORS } from '../../domain/redaction/detectors/by-kind.ts';
import { type Detector, type Span, MASK } from '../../domain/redaction/detectors/detector.ts';
import { folded, isFoldable, narrowed } from '../../domain/redaction/detectors/folded.ts';
import type { TextPatternCompiler, FindPattern } from '../ports/compilers.ts';

interface Masked {
  readonly text: string;
  /** The masks before this offset no longer change, whatever follows. */
  readonly settled: number;
}

interface Replacements {
  /** `final`: the text is complete. */
  readonly mask: (text: string, final: boolean) => Masked;
}

/** Finds replacements from left to right, longest first; reads at most one replacement's length per offset. */
const createReplacements = (replacements: readonly string[]): Replacements => {
  const known = [...new Set(replacements)].toSorted((a, b) => b.length - a.length);
  const byFirst = Map.groupBy(known, (replacement) => replacement.charAt(0));
  const firsts =
    known.length === 0 ? null : new RegExp(`[${[...byFirst.keys()].map(escaped).join('')}]`, 'g');
  return {
    mask: (text, final) => {
      if (firsts === null) return { text, settled: text.length };
      const parts: string[] = [];
      let done = 0;
      firsts.lastIndex = 0;
      for (let first = firsts.exec(text); first !== null; first = firsts.exec(text)) {
        const at = first.index;
        const candidates = byFirst.get(first[0]) ?? [];
        const matched = candidates.find((one) => text.startsWith(one, at));
        const mayBecome = !final && candidates.some((one) => isCut(one, text, at));
        if (mayBecome) return { text: parts.join('') + text.slice(done), settled: at };
        if (matched === undefined) continue;
        parts.push(text.slice(done, at), MASK.repeat(matched.length));
        done = at + matched.length;
        firsts.lastIndex = done;
      }
      return { text: parts.join('') + text.slice(done), settled: text.length };
    },
  };
};

/** Whether the text ends before it can be decided whether the replacement is there. */
const isCut = (replacement: string, text: string, at: number): boolean =>
  text.length - at < replacement.length && replacement.startsWith(text.slice(at));

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether masking wrote the whole range. */
const isMasked = (masked: string, text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) {
    if (masked.charAt(at) !== MASK || text.charAt(at) === MASK) return false;
  }
  return true;
};

/**
 * Longest pattern match that a stream is guaranteed to hold back completely. A longer match is found when a whole text
 * is redacted, but may be missed in a stream.
 */
const MAX_STREAMED_MATCH = 256;
/**
 * A text is searched in pieces plus this many following characters: the longest match that is guaranteed to be found.
 */
const PIECE_LENGTH = 1_024;
const MAX_PATTERN_MATCH = 1_024;

/**
 * Creates a detector for a pattern. A single search is linear, but finding all matches is not: each search may read to
 * the end of the text to find a short match (`a[^b]*b|a`). Therefore no search reads more than one piece.
 */
export const patternDetector = (search: FindPattern): Detector => ({
  find: (text, from) => {
    const found: Span[] = [];
    for (let base = from; base < text.length;) {
      // One preceding character, for ^ and \b.
      const offset = Math.max(0, base - 1);
      const limit = base + PIECE_LENGTH;
      const piece = text.slice(offset, limit + MAX_PATTERN_MATCH);
      for (const span of within(search, piece, base - offset, limit - offset)) {
        found.push({ start: span.start + offset, end: span.end + offset });
      }
      base = Math.max(limit, found.at(-1)?.end ?? 0);
    }
    return found;
  },
  settledUpTo: (text) => Math.max(0, text.length - MAX_STREAMED_MATCH - 1),
});

/** The matches that start in `from..to`. */
const within = (search: FindPattern, piece: string, from: number, to: number): readonly Span[] => {
  const spans: Span[] = [];
  for (let at = from; at < to;) {
    const span = search(piece, at);
    if (span === null || span.start >= to) return spans;
    spans.push(span);
    at = span.end;
  }
  return spans;
};

/** A match: UTF-16 offsets in the original text, `end` exclusive. */
export interface Finding extends Span {
  readonly rule: string;
  readonly kind: RuleKind;
}

export interface Redacted {
  readonly text: string;
  /** In the order of the text, without overlaps. */
  readonly findings: readonly Finding[];
}

export interface CompiledRule {
  readonly name: string;
  readonly kind: RuleKind;
  readonly replacement: string;
  readonly detector: Detector;
  /** Applies only to texts that contain foldable characters. */
  readonly isFolded: boolean;
}

/**
 * Compiled rules, for any number of texts. A built-in kind has three detectors: for the text as it is, narrowed and
 * folded. A pattern has one.
 */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly replacements: Replacements;
}

/** One match of one rule. */
export interface Match extends Span {
  readonly rule: CompiledRule;
}

/**
 * The first rule of a built-in kind stands for all of that kind: others would find the same, and never win.
 *
 * @throws DomainError pattern_invalid
 */
export const compileRules = (
  rules: readonly RedactionRule[],
  patterns: TextPatternCompiler,
): CompiledRules => ({
  rules: rules.filter(isFirstOfKind).flatMap((rule) => {
    const { name, kind, pattern = '' } = rule;
    const replacement = replacementOf(rule);
    const as = (detector: Detector, isFolded: boolean) => ({ name, kind, replacement, detector, isFolded });
    if (kind === 'pattern') return [as(patternDetector(patterns.compile(pattern)), false)];
    const detector = DETECTORS[kind];
    return [as(detector, false), as(narrowed(detector), true), as(folded(detector), true)];
  }),
  replacements: createReplacements(rules.map(replacementOf)),
});

const isFirstOfKind = ({ kind }: RedactionRule, index: number, rules: readonly RedactionRule[]): boolean =>
  kind === 'pattern' || rules.findIndex((rule) => rule.kind === kind) === index;

/**
 * Replaces all matches of the rules, in time linear in the text. Overlapping matches are replaced together, by the
 * rule of the longest match (of the first one if several are equally long).
 *
 * Existing replacements stay. Redacting again finds nothing more, except text directly next to a replacement that was
 * part of one word with the replaced text. For patterns this holds only if they do not depend on the surrounding text.
 */
export const redact = (text: string, { rules, replacements }: CompiledRules): Redacted => {
  if (rules.length === 0) return { text, findings: [] };
  const masked = replacements.mask(text, true).text;
  const used = isFoldable(masked) ? rules : rules.filter(({ isFolded }) => !isFolded);
  const matches = used.flatMap((rule) => matchesOf(rule, masked, text, 0));
  const merged = merge(matches);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, rule } of merged) {
    parts.push(text.slice(done, start), rule.replacement);
    done = end;
  }
  parts.push(text.slice(done));
  return {
    text: parts.join(''),
    findings: merged.map(({ start, end, rule: { name, kind } }) => ({ rule: name, kind, start, end })),
  };
};

export const matchesOf = (rule: CompiledRule, masked: string, text: string, from: number): readonly Match[] =>
  rule.detector
    .find(masked, from)
    .filter(({ start, end }) => !isMasked(masked, text, start, end))
    .map(({ start, end }) => ({ start, end, rule }));

/** Merges overlapping matches, in the order of the text. Among equally long matches, the first in the input wins. */
export const merge = (matches: readonly Match[]): readonly Match[] => {
  const merged: Match[] = [];
  let longest = 0;
  for (const match of matches.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    const length = match.end - match.start;
    if (last === undefined || match.start >= last.end) {
      merged.push(match);
      longest = length;
      continue;
    }
    const rule = length > longest ? match.rule : last.rule;
    longest = Math.max(longest, length);
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, match.end), rule };
  }
  return merged;
};
