import { MASK } from '../../domain/redaction/detectors/detector.ts';

export interface Masked {
  readonly text: string;
  /** Before this offset the masks are as they are whatever follows. */
  readonly settled: number;
}

export interface Replacements {
  /** `final`: nothing follows the text. */
  readonly mask: (text: string, final: boolean) => Masked;
}

/** Finds replacements from left to right, the longest first; looks at no more than its length for each offset. */
export const createReplacements = (replacements: readonly string[]): Replacements => {
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
        const there = candidates.find((one) => text.startsWith(one, at));
        const mayBecome = !final && candidates.some((one) => isCut(one, text, at));
        if (mayBecome) return { text: parts.join('') + text.slice(done), settled: at };
        if (there === undefined) continue;
        parts.push(text.slice(done, at), MASK.repeat(there.length));
        done = at + there.length;
        firsts.lastIndex = done;
      }
      return { text: parts.join('') + text.slice(done), settled: text.length };
    },
  };
};

/** Whether the text ends before it is clear that this is the replacement. */
const isCut = (replacement: string, text: string, at: number): boolean =>
  text.length - at < replacement.length && replacement.startsWith(text.slice(at));

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether all of it was put there by masking. */
export const isMasked = (masked: string, text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) {
    if (masked.charAt(at) !== MASK || text.charAt(at) === MASK) return false;
  }
  return true;
};
