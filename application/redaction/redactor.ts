import { type RedactionRule, replacementOf, type RuleKind } from '../../domain/redaction/index.ts';
import { DETECTORS } from '../../domain/redaction/detectors/by-kind.ts';
import type { Detector, Span } from '../../domain/redaction/detectors/detector.ts';
import { folded, isFoldable, narrowed } from '../../domain/redaction/detectors/folded.ts';
import type { TextPatterns } from '../ports/compilers.ts';
import { patternDetector } from './pattern-detector.ts';
import { createReplacements, isMasked, type Replacements } from './replacements.ts';

/** What was found: offsets of UTF-16 in the text as it was, `end` exclusive. */
export interface Finding extends Span {
  readonly rule: string;
  readonly kind: RuleKind;
}

export interface Redacted {
  readonly text: string;
  /** In the order of the text; no two overlap. */
  readonly findings: readonly Finding[];
}

export interface CompiledRule {
  readonly name: string;
  readonly kind: RuleKind;
  readonly replacement: string;
  readonly detector: Detector;
  /** Finds nothing more where a text holds nothing that is folded. */
  readonly isFolded: boolean;
}

/**
 * Rules that are ready to be applied: made once, used for any number of texts. A kind that the service knows by sight
 * stands there for the text as it is and as it looks; a pattern says itself what it means.
 */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly replacements: Replacements;
}

/** One match of one rule. */
export interface Match extends Span {
  readonly rule: CompiledRule;
}

/** @throws DomainError pattern_invalid */
export const compileRules = (rules: readonly RedactionRule[], patterns: TextPatterns): CompiledRules => ({
  rules: rules.flatMap((rule) => {
    const { name, kind, pattern = '' } = rule;
    const replacement = replacementOf(rule);
    const as = (detector: Detector, isFolded: boolean) => ({ name, kind, replacement, detector, isFolded });
    if (kind === 'pattern') return [as(patternDetector(patterns.compile(pattern)), false)];
    const detector = DETECTORS[kind];
    return [as(detector, false), as(narrowed(detector), true), as(folded(detector), true)];
  }),
  replacements: createReplacements(rules.map(replacementOf)),
});

/**
 * Replaces what the rules find, in time linear in the text. Where matches overlap, all that they cover is replaced
 * once, as the rule of the longest says (of the first, between equals).
 *
 * What was put there before stays, and redacting again finds nothing more than what stands right beside a replacement
 * and was taken for one word with what stood there. For patterns this holds as far as they do not depend on their
 * neighbours.
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

/** Matches that overlap become one. In the order of the text; of equally long ones, the first given wins. */
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
