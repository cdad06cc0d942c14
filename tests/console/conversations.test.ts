import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '../../clients/typescript/src/index.ts';
import { pathOf, pathTo } from '../../console/src/pages/conversations/path.ts';

/** Message `i` follows one of those before it, or nothing. */
const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 12 }).map((draws) =>
  draws.map((draw, i): ConversationMessage => ({
    id: `m${i}`,
    parent_id: i === 0 || draw % (i + 1) === i ? null : `m${draw % (i + 1)}`,
    role: 'user',
    creation_time: i,
  })),
);

describe('the branch of a conversation that is shown', () => {
  it('leads from a first message to one without a successor, each the successor of the one before', () => {
    fc.assert(
      fc.property(trees, (messages) => {
        const path = pathOf(messages, new Map()).map(({ message }) => message);
        expect(path.map(({ parent_id: parent }) => parent)).toEqual([
          null,
          ...path.slice(0, -1).map(({ id }) => id),
        ]);
        expect(messages.some(({ parent_id: parent }) => parent === path.at(-1)!.id)).toBe(false);
      }),
    );
  });

  it('reaches every message by choosing it and those before it', () => {
    fc.assert(
      fc.property(trees, (messages) => {
        for (const { id } of messages) {
          const chosen = new Map<string | null, string>();
          for (let at = messages.find((message) => message.id === id); at !== undefined;) {
            chosen.set(at.parent_id, at.id);
            const { parent_id: parent } = at;
            at = messages.find((message) => message.id === parent);
          }
          const found = pathOf(messages, chosen).find(({ message }) => message.id === id)!;
          const { parent_id: parent } = found.message;
          expect(found.siblings).toEqual(
            messages.filter((message) => message.parent_id === parent).map((message) => message.id),
          );
        }
      }),
    );
  });

  it('follows the newest where nothing is chosen', () => {
    const message = (id: string, parent: string | null) =>
      ({ id, parent_id: parent, role: 'user', creation_time: 1 }) as const;
    const messages = [message('a', null), message('b', 'a'), message('c', 'a'), message('d', 'b')];
    const ids = (chosen: ReadonlyMap<string | null, string>) =>
      pathOf(messages, chosen).map((one) => one.message.id);
    expect(ids(new Map())).toEqual(['a', 'c']);
    expect(ids(new Map([['a', 'b']]))).toEqual(['a', 'b', 'd']);
    expect(ids(new Map([['a', 'gone']]))).toEqual(['a', 'c']);
  });

  it('ends with the message that is followed, so that what is being asked is shown once', () => {
    const message = (id: string, parent: string | null) =>
      ({ id, parent_id: parent, role: 'user', creation_time: 1 }) as const;
    const path = pathOf([message('a', null), message('b', 'a'), message('c', 'b')], new Map());
    const ids = (end: string | null) => pathTo(end, path).map((one) => one.message.id);
    expect(ids('b')).toEqual(['a', 'b']);
    expect(ids(null)).toEqual([]);
  });
});
