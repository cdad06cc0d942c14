import { expect, it, describe } from 'vitest';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { uuidFromHash } from '../../../domain/shared/uuid-from-hash.ts';
import { agentRun } from '../../../domain/agent-run/index.ts';
import { agentThread } from '../../../domain/agent-thread/decider.ts';
import { apiKey } from '../../../domain/api-key/decider.ts';
import { authzPolicy, authzSubject } from '../../../domain/authz/decider.ts';
import { conversation } from '../../../domain/conversation/index.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../../domain/redaction/index.ts';
import { secret } from '../../../domain/secret/decider.ts';
import { source } from '../../../domain/source/decider.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { union } from '../../../domain/shared/reach.ts';

it('a state is folded of events in their order', () => {
  const evolve = (state: string, event: string): string => `${state}${event}`;
  expect(fold({ evolve }, ['b', 'c'], 'a')).toBe('abc');
  expect(fold({ evolve }, [], 'a')).toBe('a');
});

it('a refusal says its code and what to do instead', () => {
  const refusal = new DomainError('not_found', 'there is none');
  expect(refusal).toBeInstanceOf(Error);
  expect([refusal.name, refusal.code, refusal.message]).toEqual([
    'DomainError',
    'not_found',
    'there is none',
  ]);
});

it('too short a hash is refused in words', () => {
  expect(() => uuidFromHash(new Uint8Array(15))).toThrow('a UUID needs 16 bytes of hash');
});

describe('the category of stored streams', () => {
  it.each([
    [agentRun, 'agentRun'],
    [agentThread, 'agentThread'],
    [apiKey, 'apiKey'],
    [authzPolicy, 'authzPolicy'],
    [authzSubject, 'authzSubject'],
    [conversation, 'conversation'],
    [dataSource, 'dataSource'],
    [ingestionSetting, 'ingestionSetting'],
    [redactionPolicy, 'redactionPolicy'],
    [secret, 'secret'],
    [source, 'source'],
    [tag, 'tag'],
  ])('is frozen: %#', ({ category }, stream) => {
    expect(category).toBe(stream);
  });
});

it.each([
  [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'b', 'c'],
  ],
  [[], ['a'], ['a']],
  [['a'], null, null],
  [null, ['a'], null],
  [null, null, null],
])('%j and %j together reach %j', (one, other, both) => expect(union(one, other)).toEqual(both));
