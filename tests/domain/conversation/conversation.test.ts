import { describe, expect, it } from 'vitest';
import {
  type AddUserMessage,
  type BeginAnswer,
  conversation,
  type ConversationCommand,
  type OpenConversation,
  pathTo,
} from '../../../domain/conversation/index.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';

const WHO = { principalId: null, sourceGroupIds: null } as const;
const start = (changes: object = {}): ConversationCommand => ({
  type: 'start',
  messageId: 'q1',
  answerId: 'a1',
  ...WHO,
  at: 1,
  ...changes,
});
const ask = (n: number, changes: Partial<AddUserMessage> = {}): ConversationCommand => ({
  type: 'add_user_message',
  messageId: `q${n}`,
  answerId: `a${n}`,
  ...WHO,
  at: n,
  ...changes,
});
const again = (answerId: string, changes: Partial<BeginAnswer> = {}): ConversationCommand => ({
  type: 'begin_answer',
  answerId,
  ...WHO,
  at: 50,
  ...changes,
});
const ENDING = { finishReason: 'stop', model: 'm', usage: null, citedContentIds: ['c1'], cut: false };
const finish = (answerId: string): ConversationCommand => ({
  type: 'finish_answer',
  answerId,
  ...ENDING,
  at: 60,
});
const fail = (answerId: string): ConversationCommand => ({
  type: 'fail_answer',
  answerId,
  code: 'provider_timeout',
  at: 61,
});
const remove = (principalId: string | null = null): ConversationCommand => ({
  type: 'delete',
  principalId,
  at: 70,
});
const decided = (command: ConversationCommand, ...earlier: readonly ConversationCommand[]) =>
  conversation.decide(command, historyOf(conversation, earlier).state);
const refusal = (command: ConversationCommand, ...earlier: readonly ConversationCommand[]) =>
  refusalOf(() => decided(command, ...earlier));
const parentOf = (...args: Parameters<typeof decided>) =>
  decided(...args).map((event) => ('parentId' in event ? event.parentId : event.type));

/** Every state that matters × every command: what the first event is, a refusal, or nothing. */
const STATES: Readonly<Record<string, readonly ConversationCommand[]>> = {
  none: [],
  pending: [start()],
  finished: [start(), finish('a1')],
  failed: [start(), fail('a1')],
  deleted: [start(), finish('a1'), remove()],
};
const COMMANDS: Readonly<Record<string, ConversationCommand>> = {
  start: start(),
  'another start': start({ messageId: 'q9' }),
  'a message': ask(2),
  'a message at a1': ask(2, { parentId: 'a1' }),
  'a message at q1': ask(2, { parentId: 'q1' }),
  'a message at the root': ask(2, { parentId: null }),
  'a message at nothing': ask(2, { parentId: 'x' }),
  'a message of jo': ask(2, { principalId: 'jo' }),
  'another answer': again('a2'),
  'another answer to q1': again('a2', { parentId: 'q1' }),
  'another answer to a1': again('a2', { parentId: 'a1' }),
  'another answer to nothing': again('a2', { parentId: 'x' }),
  'another answer for jo': again('a2', { principalId: 'jo' }),
  'finish a1': finish('a1'),
  'finish q1': finish('q1'),
  'fail a1': fail('a1'),
  'fail x': fail('x'),
  delete: remove(),
  'delete by jo': remove('jo'),
};
const [S, Q, B, F, X, D] = [
  'ConversationStarted',
  'UserMessageAdded',
  'AnswerBegun',
  'AnswerFinished',
  'AnswerFailed',
  'ConversationDeleted',
];
const TABLE: Readonly<Record<string, readonly string[]>> = {
  //                           none         pending            finished           failed             deleted
  start: [S, '', '', '', 'not_found'],
  'another start': [S, 'conflict', 'conflict', 'conflict', 'not_found'],
  'a message': ['not_found', Q, Q, Q, 'not_found'],
  'a message at a1': ['not_found', 'conflict', Q, 'conflict', 'not_found'],
  'a message at q1': ['not_found', 'invalid_request', 'invalid_request', 'invalid_request', 'not_found'],
  'a message at the root': ['not_found', Q, Q, Q, 'not_found'],
  'a message at nothing': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
  'a message of jo': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
  'another answer': ['not_found', B, B, B, 'not_found'],
  'another answer to q1': ['not_found', B, B, B, 'not_found'],
  'another answer to a1': ['not_found', 'invalid_request', 'invalid_request', 'invalid_request', 'not_found'],
  'another answer to nothing': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
  'another answer for jo': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
  'finish a1': ['not_found', F, '', 'conflict', 'not_found'],
  'finish q1': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
  'fail a1': ['not_found', X, '', '', 'not_found'],
  'fail x': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
  delete: ['not_found', D, D, D, 'not_found'],
  'delete by jo': ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'],
};

describe('a conversation', () => {
  const cases = Object.entries(TABLE).flatMap(([name, row]) =>
    Object.keys(STATES).map((state, i) => [name, state, row[i]!] as const),
  );
  it.each(cases)('meets "%s" when it is %s with "%s"', (name, state, expected) => {
    const outcome = (): string => decided(COMMANDS[name]!, ...STATES[state]!)[0]?.type ?? '';
    expect(refusal(COMMANDS[name]!, ...STATES[state]!) ?? outcome()).toBe(expected);
  });

  it('starts with its first message, whose answer is begun at once', () => {
    expect(decided(start({ principalId: 'jo', sourceGroupIds: ['g1'] }))).toStrictEqual([
      { type: 'ConversationStarted', principalId: 'jo', at: 1 },
      { type: 'UserMessageAdded', messageId: 'q1', parentId: null, at: 1 },
      { type: 'AnswerBegun', messageId: 'a1', parentId: 'q1', sourceGroupIds: ['g1'], at: 1 },
    ]);
  });

  it('goes on at the newest leaf, wherever that is', () => {
    const line = [start(), finish('a1'), ask(2), finish('a2')];
    expect(parentOf(ask(3), ...line)).toEqual(['a2', 'q3']);
    // Somebody branched, or let answer again, in an older place: there the conversation stands now.
    const branched = [...line, ask(3, { parentId: 'a1' }), finish('a3')];
    expect(parentOf(ask(4), ...branched)).toEqual(['a3', 'q4']);
    const regenerated = [...branched, again('a1b', { parentId: 'q1' }), finish('a1b')];
    expect(parentOf(ask(4), ...regenerated)).toEqual(['a1b', 'q4']);
  });

  it('passes over an answer that failed or is still being written', () => {
    const line = [start(), finish('a1'), ask(2)];
    expect(parentOf(ask(3), ...line)).toEqual(['a1', 'q3']);
    expect(parentOf(ask(3), ...line, fail('a2'))).toEqual(['a1', 'q3']);
    expect(parentOf(ask(2), start(), fail('a1'))).toEqual([null, 'q2']);
  });

  it('takes an edit as a sibling, at the root too', () => {
    const line = [start(), finish('a1'), ask(2), finish('a2'), ask(3, { parentId: 'a1' }), finish('a3')];
    const { state } = historyOf(conversation, [...line, ask(4, { parentId: null })]);
    const { messages } = state as OpenConversation;
    expect(pathTo(messages, 'q3').map(({ id }) => id)).toEqual(['q1', 'a1', 'q3']);
    expect(pathTo(messages, 'a2').map(({ id }) => id)).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(pathTo(messages, 'q4').map(({ id }) => id)).toEqual(['q4']);
    expect(pathTo(messages, 'x')).toEqual([]);
  });

  it('answers the last question again unless another is named', () => {
    const line = [start(), finish('a1'), ask(2), fail('a2')];
    expect(parentOf(again('b'), ...line)).toEqual(['q2']);
    expect(parentOf(again('b', { parentId: 'q1' }), ...line)).toEqual(['q1']);
  });

  it('records how an answer ended, and nothing of its text', () => {
    expect(decided(finish('a1'), start())).toStrictEqual([
      { type: 'AnswerFinished', messageId: 'a1', ...ENDING, at: 60 },
    ]);
    expect(decided(fail('a1'), start())).toStrictEqual([
      { type: 'AnswerFailed', messageId: 'a1', code: 'provider_timeout', at: 61 },
    ]);
  });

  it('tells of whatever the widest of its askers could see', () => {
    const reach = (...commands: readonly ConversationCommand[]) =>
      (historyOf(conversation, commands).state as OpenConversation).sourceGroupIds;
    const narrow = start({ sourceGroupIds: ['g1'] });
    expect(reach(narrow)).toEqual(['g1']);
    expect(reach(narrow, ask(2, { sourceGroupIds: ['g2', 'g1'] }))).toEqual(['g1', 'g2']);
    expect(reach(narrow, again('b', { sourceGroupIds: null }))).toBeNull();
    expect(reach(start(), again('b', { sourceGroupIds: ['g1'] }))).toBeNull();
  });

  it('is found by its principal alone', () => {
    const of = [start({ principalId: 'jo' })];
    expect(refusal(ask(2, { principalId: 'jo' }), ...of)).toBeNull();
    expect(refusal(ask(2), ...of)).toBe('not_found');
    expect(refusal(remove(), ...of)).toBe('not_found');
    expect(refusal(remove('jo'), ...of)).toBeNull();
    expect(refusal(start({ principalId: null }), ...of)).toBe('not_found');
  });
});
