import fc from 'fast-check';
import {
  conversation,
  type ConversationCommand,
  type ConversationEvent,
  type ConversationState,
} from '../../../domain/conversation/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** A step as numbers: which command, and which of the messages that there are it speaks of. */
export interface Step {
  readonly kind: ConversationCommand['type'];
  readonly pick: number;
  readonly branch: 'absent' | 'root' | 'named';
}
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<Step['kind']>('add_user_message', 'finish_answer') },
      { weight: 2, arbitrary: fc.constantFrom<Step['kind']>('begin_answer', 'fail_answer') },
      { weight: 1, arbitrary: fc.constantFrom<Step['kind']>('start') },
    ),
    pick: fc.nat(30),
    branch: fc.constantFrom<Step['branch']>('absent', 'absent', 'root', 'named'),
  }),
  { minLength: 1, maxLength: 40 },
);

const PRINCIPAL = { principalId: null, sourceGroupIds: null } as const;

/** The command that a step means after some history; ids are numbers of events. */
const commandOf = (
  { kind, pick, branch }: Step,
  state: ConversationState,
  at: number,
): ConversationCommand => {
  const ids = state.status === 'open' ? [...state.messages.keys()] : [];
  const named = ids[pick % Math.max(1, ids.length)] ?? 'unknown';
  const fresh = { answerId: `a${at}`, at, ...PRINCIPAL };
  const parent = branch === 'absent' ? {} : { parentId: branch === 'root' ? null : named };
  switch (kind) {
    case 'start':
      return { type: kind, messageId: `q${at}`, ...fresh };
    case 'add_user_message':
      return { type: kind, messageId: `q${at}`, ...parent, ...fresh };
    case 'begin_answer':
      return { type: kind, ...(branch !== 'absent' && { parentId: named }), ...fresh };
    case 'finish_answer':
      return { type: kind, answerId: named, ...ENDING, at };
    case 'fail_answer':
      return { type: kind, answerId: named, code: 'provider_error', at };
    case 'delete':
      return { type: kind, principalId: null, at };
  }
};
const ENDING = { finishReason: 'stop', model: 'm', usage: null, citedContentIds: [], cut: false };

/** Every event of a history that begins with a start; refused steps lead to none. */
export const historyOfSteps = (some: readonly Step[]): readonly ConversationEvent[] => {
  const events: ConversationEvent[] = [];
  let state = conversation.initial;
  for (const [i, step] of [{ kind: 'start', pick: 0, branch: 'absent' } as const, ...some].entries()) {
    try {
      const more = conversation.decide(commandOf(step, state, i), state);
      events.push(...more);
      state = fold(conversation, more, state);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return events;
};
