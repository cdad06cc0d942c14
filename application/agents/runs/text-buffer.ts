import type { CompiledRules } from '../../redaction/redactor.ts';
import { createStreamRedactor } from '../../redaction/stream-redactor.ts';

/**
 * Collects the pieces of one answer, or of what the model thinks, until they are stored. Holds back text that may still
 * turn out to be forbidden.
 */
export interface TextBuffer {
  readonly of: TextPlace;
  readonly push: (delta: string) => void;
  readonly length: () => number;
  /** Whether `take` has returned any text. */
  readonly isStarted: () => boolean;
  /** Removes and returns the text that may be stored. */
  readonly take: () => string;
  /** Removes and returns the rest after the end of the answer. */
  readonly takeAll: () => string;
}

interface TextPlace {
  readonly kind: 'text' | 'reasoning';
  readonly step: number;
}

export const createTextBuffer = ({ kind, step }: TextPlace, rules: CompiledRules): TextBuffer => {
  const redactor = createStreamRedactor(rules);
  let text = '';
  let isStarted = false;
  const take = (): string => {
    const taken = text;
    isStarted ||= taken !== '';
    text = '';
    return taken;
  };
  return {
    of: { kind, step },
    push: (delta) => {
      text += redactor.push(delta);
    },
    length: () => text.length,
    isStarted: () => isStarted,
    take,
    takeAll: () => {
      text += redactor.flush();
      return take();
    },
  };
};
