import { describe, expect, it } from 'vitest';
import { secret, type SecretCommand, type SecretEvent } from '../../../domain/secret/decider.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { refusalOf } from '../../support/decisions.ts';

const created: SecretEvent = {
  type: 'SecretCreated',
  name: 'GitHub',
  secretType: 'token',
  valueId: 'v1',
  expiresAt: null,
  at: 1,
};
const attached: SecretEvent = { type: 'SecretAttached', dataSourceId: 'd1', at: 2 };
const deleted: SecretEvent = { type: 'SecretDeleted', at: 3 };

const after = (past: readonly SecretEvent[], command: SecretCommand): readonly SecretEvent[] | string => {
  let events: readonly SecretEvent[] = [];
  const code = refusalOf(() => {
    events = secret.decide(command, fold(secret, past, secret.initial));
  });
  return code ?? events;
};

const COMMANDS: { readonly [T in SecretCommand['type']]: Extract<SecretCommand, { type: T }> } = {
  create: { ...created, type: 'create' },
  change: { type: 'change', name: 'Forge', at: 9 },
  renew: { type: 'renew', from: 'v1', valueId: 'v2', at: 9 },
  attach: { type: 'attach', dataSourceId: 'd2', secretTypes: ['token', 'app'], at: 9 },
  detach: { type: 'detach', dataSourceId: 'd1', at: 9 },
  delete: { type: 'delete', at: 9 },
};

/** What each command leads to: in no history, of one that is kept, of one that is used, of a deleted one. */
const TABLE: { readonly [T in SecretCommand['type']]: readonly (string | readonly string[])[] } = {
  create: [['SecretCreated'], [], [], []],
  change: ['not_found', ['SecretChanged'], ['SecretChanged'], 'not_found'],
  renew: [[], ['SecretRenewed'], ['SecretRenewed'], []],
  attach: ['secret_not_found', ['SecretAttached'], ['SecretAttached'], 'secret_not_found'],
  detach: [[], [], ['SecretDetached'], []],
  delete: ['not_found', ['SecretDeleted'], 'secret_in_use', 'not_found'],
};
const HISTORIES = [[], [created], [created, attached], [created, deleted]];

describe('a secret', () => {
  it.each(Object.keys(TABLE) as (keyof typeof TABLE)[])('decides on %s as the table has it', (type) => {
    const told = HISTORIES.map((past) => {
      const led = after(past, COMMANDS[type]);
      return typeof led === 'string' ? led : led.map((event) => event.type);
    });
    expect(told).toStrictEqual(TABLE[type]);
  });

  it('is changed in no more than what is named, and not at all by what it is already', () => {
    expect(after([created], { type: 'change', name: 'GitHub', expiresAt: null, at: 9 })).toStrictEqual([]);
    expect(after([created], { type: 'change', valueId: 'v1', at: 9 })).toStrictEqual([]);
    expect(after([created], { type: 'change', expiresAt: 50, valueId: 'v2', at: 9 })).toStrictEqual([
      { type: 'SecretChanged', name: 'GitHub', expiresAt: 50, at: 9 },
      { type: 'SecretValueReplaced', valueId: 'v2', at: 9 },
    ]);
  });

  it('keeps the value of a caller who was faster than a renewal', () => {
    const replaced: SecretEvent = { type: 'SecretValueReplaced', valueId: 'v7', at: 4 };
    expect(after([created, replaced], COMMANDS.renew)).toStrictEqual([]);
  });

  it('is attached once to a data source, and to none that takes no secret of its type', () => {
    const again = { ...COMMANDS.attach, dataSourceId: 'd1' };
    expect(after([created, attached], again)).toStrictEqual([]);
    expect(after([created], { ...COMMANDS.attach, secretTypes: ['basic'] })).toBe('invalid_request');
    expect(after([created], { ...COMMANDS.attach, secretTypes: [] })).toBe('invalid_request');
  });

  it('can be deleted once nothing names it any more', () => {
    const detached: SecretEvent = { type: 'SecretDetached', dataSourceId: 'd1', at: 4 };
    expect(after([created, attached, detached], COMMANDS.delete)).toStrictEqual([
      { type: 'SecretDeleted', at: 9 },
    ]);
  });
});

describe('the state of a secret', () => {
  const stateAfter = (...past: readonly SecretEvent[]) => fold(secret, past, secret.initial);

  it('was changed last when a caller changed it, and not when it was renewed or named', () => {
    const changes: readonly (readonly [SecretEvent, number])[] = [
      [{ type: 'SecretChanged', name: 'Forge', expiresAt: null, at: 5 }, 5],
      [{ type: 'SecretValueReplaced', valueId: 'v2', at: 6 }, 6],
      [{ type: 'SecretRenewed', valueId: 'v2', at: 7 }, 1],
      [attached, 1],
    ];
    for (const [event, changedAt] of changes) expect(stateAfter(created, event)).toMatchObject({ changedAt });
  });

  it('stays deleted, and is of nothing before it was created', () => {
    expect(stateAfter(created, deleted, attached)).toEqual({ status: 'deleted' });
    expect(() => stateAfter(attached)).toThrow('before SecretCreated');
  });
});
