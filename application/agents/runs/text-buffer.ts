import type { CompiledRules } from '../../redaction/redactor.ts';
import { createStreamRedactor } from '../../redaction/stream-redactor.ts';

/** Pieces of one answer, collected until they are kept. What may yet turn out to be forbidden is held back. */
export interface TextBuffer {
  readonly step: number;
  readonly push: (delta: string) => void;
  readonly length: () => number;
  /** Whether anything was taken. */
  readonly isStarted: () => boolean;
  /** All that may be kept by now, which is then gone from here. */
  readonly take: () => string;
  /** The answer has ended: the rest. */
  readonly takeAll: () => string;
}

export const createTextBuffer = (step: number, rules: CompiledRules): TextBuffer => {
  const redactor = createStreamRedactor(rules);
  let text = '';
  let told = false;
  const take = (): string => {
    const taken = text;
    told ||= taken !== '';
    text = '';
    return taken;
  };
  return {
    step,
    push: (delta) => {
      text += redactor.push(delta);
    },
    length: () => text.length,
    isStarted: () => told,
    take,
    takeAll: () => {
      text += redactor.flush();
      return take();
    },
  };
};
