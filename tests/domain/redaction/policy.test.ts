import { describe, expect, it } from 'vitest';
import {
  type CreateRedactionPolicy,
  redactionPolicy,
  type RedactionPolicyCommand,
  type RedactionPolicyEvent,
  type RedactionRule,
  replacementOf,
} from '../../../domain/redaction/index.ts';
import { fold } from '../../../domain/shared/decider.ts';

const email: RedactionRule = { name: 'e-mail', kind: 'email' };
const badge: RedactionRule = { name: 'badge', kind: 'pattern', pattern: 'B\\d{4}', replacement: '#' };
const content = { name: 'staff', rules: [email, badge], appliesTo: ['ingestion', 'agent'] } as const;
const create = { type: 'create', ...content, at: 1 } as const;
const created: RedactionPolicyEvent = { ...create, type: 'RedactionPolicyCreated' };
const deleted: RedactionPolicyEvent = { type: 'RedactionPolicyDeleted', at: 3 };

const decide = (command: RedactionPolicyCommand, ...history: readonly RedactionPolicyEvent[]) =>
  redactionPolicy.decide(command, fold(redactionPolicy, history, redactionPolicy.initial));
const creating = (fields: Partial<CreateRedactionPolicy>) => () => decide({ ...create, ...fields });
const withRule = (fields: Partial<RedactionRule>) => creating({ rules: [{ ...email, ...fields }] });
const refused = (code: string, message: string) => expect.objectContaining({ code, message }) as unknown;

describe('a redaction policy', () => {
  it('is created once, and a repeated request changes nothing, also after it was deleted', () => {
    expect(decide(create)).toEqual([created]);
    expect(decide({ ...create, name: 'other' }, created)).toEqual([]);
    expect(decide(create, created, deleted)).toEqual([]);
  });

  it('is changed as a whole, and the newest is in force', () => {
    const change = { ...create, type: 'change', rules: [badge], at: 2 } as const;
    const changed = { ...change, type: 'RedactionPolicyChanged' } as const;
    expect(decide(change, created)).toEqual([changed]);
    expect(decide(change, created, changed)).toEqual([]);
    expect(fold(redactionPolicy, [created, changed], redactionPolicy.initial)).toEqual({
      status: 'in_force',
      name: 'staff',
      rules: [badge],
      appliesTo: content.appliesTo,
    });
  });

  it.each([
    [{}, false],
    [{ appliesTo: ['agent', 'ingestion'] }, false],
    [{ rules: [{ ...email }, { ...badge }] }, false],
    [{ name: 'people' }, true],
    [{ appliesTo: ['ingestion'] }, true],
    [{ appliesTo: ['ingestion', 'content'] }, true],
    [{ appliesTo: ['ingestion', 'agent', 'content'] }, true],
    [{ rules: [email] }, true],
    [{ rules: [badge, email] }, true],
    [{ rules: [email, badge, { name: 'ip', kind: 'ip' }] }, true],
    [{ rules: [{ ...email, name: 'mail' }, badge] }, true],
    [{ rules: [{ ...email, kind: 'ip' }, badge] }, true],
    [{ rules: [email, { ...badge, pattern: 'C' }] }, true],
    [{ rules: [email, { ...badge, replacement: '-' }] }, true],
  ] as const)('that is sent again with %j has changed: %s', (fields, hasChanged) => {
    expect(decide({ ...create, type: 'change', ...fields }, created)).toHaveLength(hasChanged ? 1 : 0);
  });

  it('that is not in force is neither changed nor deleted', () => {
    const missing = refused('not_found', 'there is no such redaction policy');
    for (const history of [[], [created, deleted]]) {
      expect(() => decide({ ...create, type: 'change' }, ...history)).toThrow(missing);
      expect(() => decide({ type: 'delete', at: 3 }, ...history)).toThrow(missing);
    }
    expect(decide({ type: 'delete', at: 3 }, created)).toEqual([deleted]);
  });

  it('has a name of 1 to 100 characters, and a stage', () => {
    const name = refused('invalid_request', 'the name of a policy has 1 to 100 characters');
    expect(creating({ name: ' ' })).toThrow(name);
    expect(creating({ name: 'n'.repeat(101) })).toThrow(name);
    expect(creating({ name: 'n'.repeat(100) })).not.toThrow();
    const stage = refused('invalid_request', 'a policy applies to at least one of its stages');
    expect(creating({ appliesTo: [] })).toThrow(stage);
    expect(() => decide({ ...create, type: 'change', name: '' }, created)).toThrow(name);
  });

  it('has 1 to 50 rules, each of another name', () => {
    const some = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...email, name: `rule ${i}` }));
    expect(creating({ rules: [] })).toThrow(refused('invalid_request', 'a policy needs at least one rule'));
    expect(creating({ rules: some(50) })).not.toThrow();
    expect(creating({ rules: some(51) })).toThrow(
      refused('invalid_request', 'a policy has at most 50 rules'),
    );
    expect(creating({ rules: [email, { ...badge, name: email.name }] })).toThrow(
      refused('invalid_request', 'two rules are named "e-mail"'),
    );
  });
});

describe('a rule of a redaction policy', () => {
  const long = 'n'.repeat(101);

  it.each([
    [{ name: '' }, 'the name of a rule has 1 to 100 characters'],
    [{ name: ' ' }, 'the name of a rule has 1 to 100 characters'],
    [{ name: long }, 'the name of a rule has 1 to 100 characters'],
    [{ kind: 'pattern' }, 'rule "e-mail" is of kind pattern but has no pattern'],
    [{ kind: 'pattern', pattern: '' }, 'rule "e-mail" is of kind pattern but has no pattern'],
    [{ pattern: 'x' }, 'rule "e-mail" is of kind email, which takes no pattern'],
    [{ replacement: '' }, 'rule "e-mail": a replacement has 1 to 100 characters'],
    [{ replacement: long }, 'rule "e-mail": a replacement has 1 to 100 characters'],
  ] as const)('is refused with %j', (fields, message) => {
    expect(withRule(fields)).toThrow(refused('invalid_request', message));
  });

  it('has a pattern of at most 500 characters', () => {
    expect(withRule({ kind: 'pattern', pattern: 'p'.repeat(500) })).not.toThrow();
    expect(withRule({ kind: 'pattern', pattern: 'p'.repeat(501) })).toThrow(
      refused('pattern_invalid', 'rule "e-mail": more than 500 characters'),
    );
  });

  it('puts its replacement, or its name in brackets, for what it finds', () => {
    expect([email, badge].map(replacementOf)).toEqual(['[e-mail]', '#']);
  });
});
