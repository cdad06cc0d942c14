import { describe, expect, it } from 'vitest';
import {
  authzPolicy,
  type AuthzPolicyCommand,
  type AuthzPolicyEvent,
  authzSubject,
  type AuthzSubjectCommand,
  type AuthzSubjectEvent,
} from '../../../domain/authz/index.ts';
import { fold } from '../../../domain/shared/decider.ts';

const rules = { description: '', sourceMetadata: null, chunkMetadata: null };
const created: AuthzPolicyEvent = { type: 'AuthzPolicyCreated', policyId: 'a', name: 'p', ...rules, at: 1 };
const deleted: AuthzPolicyEvent = { type: 'AuthzPolicyDeleted', name: 'p', at: 2 };
const policy = (command: AuthzPolicyCommand, ...history: readonly AuthzPolicyEvent[]) =>
  authzPolicy.decide(command, fold(authzPolicy, history, authzPolicy.initial)).map(({ type }) => type);
const create = (policyId: string, name = 'p') =>
  ({ type: 'create', policyId, name, ...rules, at: 3 }) as const;
const change = (description: string, name = 'p') =>
  ({ type: 'change', policyId: 'c', name, ...rules, description, at: 3 }) as const;

describe('an authz policy', () => {
  it('is created once under its name, and again after its deletion', () => {
    expect(policy(create('a'))).toEqual(['AuthzPolicyCreated']);
    expect(policy(create('a'), created)).toEqual([]);
    expect(() => policy(create('b'), created)).toThrow('of this name already');
    expect(policy(create('b'), created, deleted)).toEqual(['AuthzPolicyCreated']);
  });

  it('keeps the reserved name for the policy that is defined by a change', () => {
    expect(() => policy(create('a', 'default'))).toThrow('reserved');
    expect(() => policy(create('a', 'No'))).toThrow('cannot name');
    expect(policy(change('', 'default'))).toEqual(['AuthzPolicyCreated']);
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

describe('what policies know of a principal', () => {
  it('is set for each policy by itself, and deleted for all', () => {
    const command = { ...set, type: 'set' } as const;
    expect(subject(command)).toEqual(['AuthzAttributesSet']);
    expect(subject(command, set)).toEqual([]);
    expect(subject({ ...command, authzPolicy: 'q' }, set)).toEqual(['AuthzAttributesSet']);
    expect(subject({ type: 'delete', at: 2 }, set)).toEqual(['AuthzAttributesDeleted']);
    expect(() => subject({ type: 'delete', at: 2 })).toThrow('no attributes');
  });
});
