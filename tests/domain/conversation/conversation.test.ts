import { describe, expect, it } from 'vitest';
import {
  type AddUserMessage,
  type BeginAnswer,
  conversation,
  type ConversationCommand,
  newestAnswer,
  newestQuestion,
  type OpenConversation,
  pathTo,
} from '../../../domain/conversation/index.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';

const WHO = { principal_id: null, source_group_ids: null } as const;
const start = (changes: object = {}): ConversationCommand => ({
  type: 'start',
  message_id: 'q1',
  answer_id: 'a1',
  ...WHO,
  at: 1,
  ...changes,
});
const ask = (n: number, changes: Partial<AddUserMessage> = {}): ConversationCommand => ({
  type: 'add_user_message',
  message_id: `q${n}`,
  answer_id: `a${n}`,
  ...WHO,
  at: n,
  ...changes,
});
const again = (answer_id: string, changes: Partial<BeginAnswer> = {}): ConversationCommand => ({
  type: 'begin_answer',
  answer_id,
  ...WHO,
  at: 50,
  ...changes,
});
const ENDING = { finish_reason: 'stop', model: 'm', usage: null, cited_content_ids: ['c1'], cut: false };
const finish = (answer_id: string): ConversationCommand => ({
  type: 'finish_answer',
  answer_id,
  ...ENDING,
  at: 60,
});
const fail = (answer_id: string): ConversationCommand => ({
  type: 'fail_answer',
  answer_id,
  code: 'provider_timeout',
  at: 61,
});
const remove = (principal_id: string | null = null): ConversationCommand => ({
  type: 'delete',
  principal_id,
  at: 70,
});
const decided = (command: ConversationCommand, ...earlier: readonly ConversationCommand[]) =>
  conversation.decide(command, historyOf(conversation, earlier).state);
const refusal = (command: ConversationCommand, ...earlier: readonly ConversationCommand[]) =>
  refusalOf(() => decided(command, ...earlier));
const parentOf = (...args: Parameters<typeof decided>) =>
  decided(...args).map((event) => ('parent_id' in event ? event.parent_id : event.type));

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
  'another start': start({ message_id: 'q9' }),
  'a message': ask(2),
  'a message at a1': ask(2, { parent_id: 'a1' }),
  'a message at q1': ask(2, { parent_id: 'q1' }),
  'a message at the root': ask(2, { parent_id: null }),
  'a message at nothing': ask(2, { parent_id: 'x' }),
  'a message of jo': ask(2, { principal_id: 'jo' }),
  'another answer': again('a2'),
  'another answer to q1': again('a2', { parent_id: 'q1' }),
  'another answer to a1': again('a2', { parent_id: 'a1' }),
  'another answer to nothing': again('a2', { parent_id: 'x' }),
  'another answer for jo': again('a2', { principal_id: 'jo' }),
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
    expect(decided(start({ principal_id: 'jo', source_group_ids: ['g1'] }))).toStrictEqual([
      { type: 'ConversationStarted', principal_id: 'jo', at: 1 },
      { type: 'UserMessageAdded', message_id: 'q1', parent_id: null, at: 1 },
      { type: 'AnswerBegun', message_id: 'a1', parent_id: 'q1', source_group_ids: ['g1'], at: 1 },
    ]);
  });

  it('goes on at the newest leaf, wherever that is', () => {
    const line = [start(), finish('a1'), ask(2), finish('a2')];
    expect(parentOf(ask(3), ...line)).toEqual(['a2', 'q3']);
    // Somebody branched, or let answer again, in an older place: there the conversation stands now.
    const branched = [...line, ask(3, { parent_id: 'a1' }), finish('a3')];
    expect(parentOf(ask(4), ...branched)).toEqual(['a3', 'q4']);
    const regenerated = [...branched, again('a1b', { parent_id: 'q1' }), finish('a1b')];
    expect(parentOf(ask(4), ...regenerated)).toEqual(['a1b', 'q4']);
  });

  it('passes over an answer that failed or is still being written', () => {
    const line = [start(), finish('a1'), ask(2)];
    expect(parentOf(ask(3), ...line)).toEqual(['a1', 'q3']);
    expect(parentOf(ask(3), ...line, fail('a2'))).toEqual(['a1', 'q3']);
    expect(parentOf(ask(2), start(), fail('a1'))).toEqual([null, 'q2']);
  });

  it('takes an edit as a sibling, at the root too', () => {
    const line = [start(), finish('a1'), ask(2), finish('a2'), ask(3, { parent_id: 'a1' }), finish('a3')];
    const { state } = historyOf(conversation, [...line, ask(4, { parent_id: null })]);
    const { messages } = state as OpenConversation;
    expect(pathTo(messages, 'q3').map(({ id }) => id)).toEqual(['q1', 'a1', 'q3']);
    expect(pathTo(messages, 'a2').map(({ id }) => id)).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(pathTo(messages, 'q4').map(({ id }) => id)).toEqual(['q4']);
    expect(pathTo(messages, 'x')).toEqual([]);
  });

  it('answers the last question again unless another is named', () => {
    const line = [start(), finish('a1'), ask(2), fail('a2')];
    expect(parentOf(again('b'), ...line)).toEqual(['q2']);
    expect(parentOf(again('b', { parent_id: 'q1' }), ...line)).toEqual(['q1']);
  });

  it('records how an answer ended, and nothing of its text', () => {
    expect(decided(finish('a1'), start())).toStrictEqual([
      { type: 'AnswerFinished', message_id: 'a1', ...ENDING, at: 60 },
    ]);
    expect(decided(fail('a1'), start())).toStrictEqual([
      { type: 'AnswerFailed', message_id: 'a1', code: 'provider_timeout', at: 61 },
    ]);
  });

  it('tells of whatever the widest of its askers could see', () => {
    const reach = (...commands: readonly ConversationCommand[]) =>
      (historyOf(conversation, commands).state as OpenConversation).source_group_ids;
    const narrow = start({ source_group_ids: ['g1'] });
    expect(reach(narrow)).toEqual(['g1']);
    expect(reach(narrow, ask(2, { source_group_ids: ['g2', 'g1'] }))).toEqual(['g1', 'g2']);
    expect(reach(narrow, again('b', { source_group_ids: null }))).toBeNull();
    expect(reach(start(), again('b', { source_group_ids: ['g1'] }))).toBeNull();
  });

  it('is found by its principal alone', () => {
    const of = [start({ principal_id: 'jo' })];
    expect(refusal(ask(2, { principal_id: 'jo' }), ...of)).toBeNull();
    expect(refusal(ask(2), ...of)).toBe('not_found');
    expect(refusal(remove(), ...of)).toBe('not_found');
    expect(refusal(remove('jo'), ...of)).toBeNull();
    expect(refusal(start({ principal_id: null }), ...of)).toBe('not_found');
  });

  it('has no newest message before there is one', () => {
    expect([newestAnswer(new Map()), newestQuestion(new Map())]).toEqual([null, null]);
  });

  it('cannot be folded from events that never were', () => {
    const finished = { type: 'AnswerFinished', message_id: 'a', ...ENDING, at: 1 } as const;
    expect(() => conversation.evolve(conversation.initial, finished)).toThrow('not there');
    const { state } = historyOf(conversation, [start()]);
    expect(() => conversation.evolve(state, finished)).toThrow('never begun');
  });
});
