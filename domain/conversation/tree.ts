import type { Message, Messages } from './state.ts';

/**
 * The answer that the next question continues by default: the newest leaf. If the leaf is not a finished answer (it
 * failed or is still pending), its nearest finished ancestor is used, so that no question follows an unanswered one.
 *
 * Null for the root.
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

/** Whether a question can continue this message: only a finished answer. */
export const isAnswer = (message: Message): boolean =>
  message.role === 'assistant' && message.status === 'finished';

/** The messages from the root to this one, inclusive; empty for an unknown id. */
export const pathTo = (messages: Messages, id: string): readonly Message[] => {
  const path: Message[] = [];
  for (let at = messages.get(id); at !== undefined; at = parentOf(messages, at)) path.push(at);
  return path.toReversed();
};

const parentOf = (messages: Messages, { parentId }: Message): Message | undefined =>
  parentId === null ? undefined : messages.get(parentId);
