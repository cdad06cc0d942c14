import { describe, expect, it } from 'vitest';
import {
  authzPolicy,
  type AuthzPolicyCommand,
  type AuthzPolicyEvent,
  authzSubject,
  type AuthzSubjectCommand,
  type AuthzSubjectEvent,
} from '../../../domain/authz/decider.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { refusalOf } from '../../support/decisions.ts';

const rules = { description: '', sourceMetadata: null, chunkMetadata: null };
const created: AuthzPolicyEvent = { type: 'AuthzPolicyCreated', policyId: 'a', name: 'p', ...rules, at: 1 };
const deleted: AuthzPolicyEvent = { type: 'AuthzPolicyDeleted', name: 'p', at: 2 };
const policy = (command: AuthzPolicyCommand, ...history: readonly AuthzPolicyEvent[]) =>
  authzPolicy.decide(command, fold(authzPolicy, history, authzPolicy.initial)).map(({ type }) => type);
const create = (policyId: string, name = 'p') =>
  ({ type: 'create', policyId, name, ...rules, at: 3 }) as const;
const change = (description: string, name = 'p') =>
  ({ type: 'change', policyId: 'c', name, ...rules, description, at: 3 }) as const;

/** With the code alone: words of refusals are for people. */
const refused = (command: AuthzPolicyCommand, ...history: readonly AuthzPolicyEvent[]) =>
  refusalOf(() => policy(command, ...history));

describe('an authz policy', () => {
  it.each<readonly [AuthzPolicyCommand, readonly AuthzPolicyEvent[], string | null]>([
    [create('b'), [created], 'name_taken'],
    [create('a', 'default'), [], 'invalid_request'],
    [create('a', 'No'), [], 'invalid_request'],
    [change(''), [], 'not_found'],
    [{ type: 'delete', at: 3 }, [created, deleted], 'not_found'],
    [create('a', 'a'), [], null],
    [create('a', 'a-b_9'), [], null],
    [create('a', 'a'.repeat(64)), [], null],
    [create('a', 'a'.repeat(65)), [], 'invalid_request'],
    [create('a', '9a'), [], 'invalid_request'],
    [create('a', '-a'), [], 'invalid_request'],
    [create('a', 'a b'), [], 'invalid_request'],
    [create('a', 'aB'), [], 'invalid_request'],
    [create('a', ''), [], 'invalid_request'],
  ])('is refused with a code, or not: %j after %j', (command, history, code) => {
    expect(refused(command, ...history)).toBe(code);
  });

  it('keeps its id and when it was created through every change', () => {
    const changed = { ...change('new'), type: 'AuthzPolicyChanged', at: 9 } as const;
    const state = fold(authzPolicy, [created, changed], authzPolicy.initial);
    expect(state).toEqual({
      policyId: 'a',
      name: 'p',
      description: 'new',
      sourceMetadata: null,
      chunkMetadata: null,
      createdAt: 1,
    });
    expect(() => authzPolicy.evolve(null, changed)).toThrow('before AuthzPolicyCreated');
  });

  it('is created once under its name, and again after its deletion', () => {
    expect(policy(create('a'))).toEqual(['AuthzPolicyCreated']);
    expect(policy(create('a'), created)).toEqual([]);
    expect(() => policy(create('b'), created)).toThrow('with this name already');
    expect(policy(create('b'), created, deleted)).toEqual(['AuthzPolicyCreated']);
  });

  it('keeps the reserved name for the policy that is defined by a change', () => {
    expect(() => policy(create('a', 'default'))).toThrow('reserved');
    expect(() => policy(create('a', 'No'))).toThrow('not a valid policy name');
    expect(policy(change('', 'default'))).toEqual(['AuthzPolicyCreated']);
    const reserved = { ...created, name: 'default' };
    expect(policy(change('new', 'default'), reserved)).toEqual(['AuthzPolicyChanged']);
    expect(() => policy(change(''))).toThrow('no such authz policy');
  });

  it('changes when its rules do', () => {
    expect(policy(change('new'), created)).toEqual(['AuthzPolicyChanged']);
    expect(policy(change(''), created)).toEqual([]);
  });

  it.each(['sourceMetadata', 'chunkMetadata'])('changes where only its %s are tightened', (which) => {
    const filter = { filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }] };
    const tightened = { ...change(''), [which]: filter };
    expect(policy(tightened, created)).toEqual(['AuthzPolicyChanged']);
    const changed = { ...tightened, type: 'AuthzPolicyChanged' } as const;
    expect(policy(tightened, created, changed)).toEqual([]);
    expect(policy(change(''), created, changed)).toEqual(['AuthzPolicyChanged']);
  });

  it('is deleted once', () => {
    expect(policy({ type: 'delete', at: 3 }, created)).toEqual(['AuthzPolicyDeleted']);
    expect(() => policy({ type: 'delete', at: 3 }, created, deleted)).toThrow('no such authz policy');
  });
});

const set: AuthzSubjectEvent = {
  type: 'AuthzAttributesSet',
  principalId: 'jo',
  authzPolicy: 'p',
  attributes: { a: ['x'] },
  at: 1,
};
const subject = (command: AuthzSubjectCommand, ...history: readonly AuthzSubjectEvent[]) =>
  authzSubject.decide(command, fold(authzSubject, history, authzSubject.initial)).map(({ type }) => type);

const knownAfter = (...history: readonly AuthzSubjectEvent[]) =>
  fold(authzSubject, history, authzSubject.initial);

describe('what policies know of a principal', () => {
  it('is set for each policy by itself, and deleted for all', () => {
    const command = { ...set, type: 'set' } as const;
    expect(subject(command)).toEqual(['AuthzAttributesSet']);
    expect(subject(command, set)).toEqual([]);
    expect(subject({ ...command, authzPolicy: 'q' }, set)).toEqual(['AuthzAttributesSet']);
    expect(subject({ type: 'delete', at: 2 }, set)).toEqual(['AuthzAttributesDeleted']);
    expect(refusalOf(() => subject({ type: 'delete', at: 2 }))).toBe('not_found');
    expect(authzSubject.decide({ type: 'delete', at: 2 }, knownAfter(set))).toEqual([
      { type: 'AuthzAttributesDeleted', principalId: 'jo', at: 2 },
    ]);
  });

  it('is known since the first policy that knew of it, and set again where a value differs', () => {
    const later = { ...set, authzPolicy: 'q', at: 8 };
    expect(knownAfter(set, later)).toEqual({
      principalId: 'jo',
      createdAt: 1,
      policies: new Map([
        ['p', { a: ['x'] }],
        ['q', { a: ['x'] }],
      ]),
    });
    expect(knownAfter(set, { type: 'AuthzAttributesDeleted', principalId: 'jo', at: 9 })).toBeNull();
    expect(subject({ ...set, type: 'set', attributes: { a: ['y'] } }, set)).toEqual(['AuthzAttributesSet']);
  });
});
