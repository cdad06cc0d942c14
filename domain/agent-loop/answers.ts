import { resolve } from './passages.ts';
import type { Answer, LoopState } from './state.ts';
import { type Decision, fail, type Finished } from './step.ts';
import { withheld } from './next.ts';

/** The failure of a final answer that cannot be used; null when it can. */
export const failureOfAnswer = ({ message, finishReason }: Answer): Decision | null => {
  if (finishReason === 'content_filter') return withheld;
  return message.content.trim() === ''
    ? fail('empty_answer', 'the model ended without saying anything')
    : null;
};

/** Finishes a run with an answer. Its citations are the passages whose numbers it names. */
export const finishWith = (
  { message, finishReason }: Answer,
  { passages, transcript }: LoopState,
): Finished => ({
  kind: 'finish',
  message: message.content,
  finishReason,
  citations: resolve(message.content, passages).cited,
  messages: transcript,
});
