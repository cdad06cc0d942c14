import { expect, it } from 'vitest';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { uuidFromHash } from '../../../domain/shared/uuid-from-hash.ts';

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
