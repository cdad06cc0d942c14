import type { Message, Messages } from './state.ts';

/**
 * The answer at which a conversation goes on by itself: at its newest leaf. A leaf that has no whole answer (it failed,
 * or is still being written) is passed over upwards, so that a question is never put after one that nobody answered.
 *
 * Null: at the root.
 */
export const newestAnswer = (messages: Messages): string | null => {
  let at: Message | undefined = [...messages.values()].at(-1);
  while (at !== undefined && !isAnswer(at)) at = parentOf(messages, at);
  return at?.id ?? null;
};

/** The user message at or above the newest leaf. */
export const newestQuestion = (messages: Messages): string | null => {
  const last = [...messages.values()].at(-1);
  return (last?.role === 'assistant' ? last.parentId : last?.id) ?? null;
};

/** Whether a question can follow: an answer that was written to its end. */
export const isAnswer = (message: Message): boolean =>
  message.role === 'assistant' && message.status === 'finished';

/** From the root to the message, itself included; empty for an unknown one. */
export const pathTo = (messages: Messages, id: string): readonly Message[] => {
  const path: Message[] = [];
  for (let at = messages.get(id); at !== undefined; at = parentOf(messages, at)) path.push(at);
  return path.toReversed();
};

const parentOf = (messages: Messages, { parentId }: Message): Message | undefined =>
  parentId === null ? undefined : messages.get(parentId);
