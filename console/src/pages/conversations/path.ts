import type { ConversationMessage } from 'knowledger-client';

export interface Shown {
  readonly message: ConversationMessage;
  /** All messages with the same parent, oldest first: this one is among them. */
  readonly siblings: readonly string[];
}

/**
 * The messages from the first to the end of one branch. Where a message has several successors, the chosen one goes on,
 * or else the newest.
 *
 * @param chosen the successor of a parent; that of the first message is `null`
 */
export const pathOf = (
  messages: readonly ConversationMessage[],
  chosen: ReadonlyMap<string | null, string>,
): readonly Shown[] => {
  const byParent = Map.groupBy(messages, ({ parent_id: parent }) => parent);
  const path: Shown[] = [];
  for (let parent: string | null = null; ;) {
    const successors: readonly ConversationMessage[] = byParent.get(parent) ?? [];
    const message = successors.find(({ id }) => id === chosen.get(parent)) ?? successors.at(-1);
    if (message === undefined) return path;
    path.push({ message, siblings: successors.map(({ id }) => id) });
    parent = message.id;
  }
};

/** The part of a path that ends with a message; nothing before the first one. */
export const pathTo = (end: string | null, path: readonly Shown[]): readonly Shown[] =>
  path.slice(0, path.findIndex(({ message }) => message.id === end) + 1);
