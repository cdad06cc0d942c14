import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conversation,
  type Message,
  type Messages,
  newestAnswer,
  type OpenConversation,
  pathTo,
} from '../../../domain/conversation/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { historyOfSteps, type Step, steps } from './random-conversation.ts';

const after = (some: readonly Step[]): OpenConversation =>
  fold(conversation, historyOfSteps(some), conversation.initial) as OpenConversation;
const RUNS = { numRuns: 500 };

describe('every history of a conversation', () => {
  it('folds to a tree in which questions and answers take turns', () => {
    const reached = { branches: 0, siblings: 0, failed: 0, deep: 0 };
    fc.assert(
      fc.property(steps, (some) => {
        const { messages } = after(some);
        expect(faultsOf(messages)).toEqual([]);
        count(reached, [...messages.values()]);
      }),
      RUNS,
    );
    for (const n of Object.values(reached)) expect(n).toBeGreaterThan(20);
  });

  it('leaves a place where the conversation goes on: a finished answer, or the root', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const { messages } = after(some);
        const at = newestAnswer(messages);
        expect(at === null || statusOf(messages.get(at)) === 'finished').toBe(true);
        // On the way from the newest message to its root.
        const newest = [...messages.keys()].at(-1)!;
        const path = pathTo(messages, newest).map(({ id }) => id);
        expect(at === null || path.includes(at)).toBe(true);
        expect(messages.get(path[0]!)?.parentId).toBeNull();
        expect(path.at(-1)).toBe(newest);
      }),
      RUNS,
    );
  });

  it('leads to nothing when a command is repeated with its ids', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const state = after(some);
        const ids = { messageId: 'q', answerId: 'a', principalId: null, sourceGroupIds: null, at: 99 };
        const asked = fold(
          conversation,
          conversation.decide({ type: 'add_user_message', ...ids }, state),
          state,
        );
        expect(conversation.decide({ type: 'add_user_message', ...ids }, asked)).toEqual([]);
        expect(conversation.decide({ type: 'begin_answer', ...ids, parentId: 'q' }, asked)).toEqual([]);
      }),
      RUNS,
    );
  });
});

const statusOf = (message: Message | undefined): string | null =>
  message?.role === 'assistant' ? message.status : null;

/** Messages that do not stand where they may. Parents come first, so there is no cycle, and every path ends at a root. */
const faultsOf = (messages: Messages): readonly Message[] => {
  const ids = [...messages.keys()];
  return [...messages.values()].filter(({ id, role, parentId }) => {
    const parent = parentId === null ? undefined : messages.get(parentId);
    if (parentId !== null && !ids.slice(0, ids.indexOf(id)).includes(parentId)) return true;
    if (role === 'assistant') return parent?.role !== 'user';
    return parent !== undefined && statusOf(parent) !== 'finished';
  });
};

const count = (
  reached: { branches: number; siblings: number; failed: number; deep: number },
  messages: readonly Message[],
): void => {
  const questions = messages.filter(({ role }) => role === 'user');
  const answers = messages.filter(({ role }) => role === 'assistant');
  const twice = (some: readonly Message[]): boolean =>
    new Set(some.map(({ parentId }) => parentId)).size < some.length;
  if (twice(questions)) reached.branches += 1;
  if (twice(answers)) reached.siblings += 1;
  if (answers.some((answer) => answer.role === 'assistant' && answer.status === 'failed'))
    reached.failed += 1;
  if (questions.length > 3) reached.deep += 1;
};
