import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../domain/shared/decider.ts';
import { webhook, type WebhookCommand, type WebhookEvent } from '../../../domain/webhook/decider.ts';
import { GIVE_UP_MS, nextAttemptAt } from '../../../domain/webhook/retry.ts';
import { refusalOf } from '../../support/decisions.ts';

const subscription = {
  url: 'https://example.com/hook',
  description: '',
  types: ['SourceIndexed'],
  categories: null,
  sourceGroupIds: null,
};
const created: WebhookEvent = { type: 'WebhookCreated', ...subscription, secretId: 's1', from: '', at: 1 };
const disabled: WebhookEvent = { type: 'WebhookDisabled', because: 'failing', detail: 'no', at: 2 };
const enabled: WebhookEvent = { type: 'WebhookEnabled', at: 3 };
const deleted: WebhookEvent = { type: 'WebhookDeleted', at: 4 };

const after = (past: readonly WebhookEvent[], command: WebhookCommand): readonly WebhookEvent[] | string => {
  let events: readonly WebhookEvent[] = [];
  const code = refusalOf(() => {
    events = webhook.decide(command, fold(webhook, past, webhook.initial));
  });
  return code ?? events;
};

const COMMANDS = {
  create: { ...created, type: 'create' },
  change: { type: 'change', description: 'Ours', at: 9 },
  enable: { type: 'change', enabled: true, at: 9 },
  disable: { type: 'disable', because: 'gone', detail: '410', enabledAt: 1, at: 9 },
  rotate: { type: 'rotate', secretId: 's2', at: 9 },
  delete: { type: 'delete', at: 9 },
} satisfies { readonly [name: string]: WebhookCommand };

/** What each command leads to: in no history, of one that sends, of a disabled, an enabled again and a deleted one. */
const TABLE: { readonly [name in keyof typeof COMMANDS]: readonly (string | readonly string[])[] } = {
  create: [['WebhookCreated'], [], [], [], []],
  change: ['not_found', ['WebhookChanged'], ['WebhookChanged'], ['WebhookChanged'], 'not_found'],
  enable: ['not_found', [], ['WebhookEnabled'], [], 'not_found'],
  // Somebody has enabled it since the service saw it.
  disable: [[], ['WebhookDisabled'], [], [], []],
  rotate: [
    'not_found',
    ['WebhookSecretRotated'],
    ['WebhookSecretRotated'],
    ['WebhookSecretRotated'],
    'not_found',
  ],
  delete: ['not_found', ['WebhookDeleted'], ['WebhookDeleted'], ['WebhookDeleted'], 'not_found'],
};
const HISTORIES = [[], [created], [created, disabled], [created, disabled, enabled], [created, deleted]];

describe('a webhook', () => {
  it.each(Object.keys(TABLE) as (keyof typeof TABLE)[])('decides on %s as the table has it', (name) => {
    const told = HISTORIES.map((past) => {
      const led = after(past, COMMANDS[name]);
      return typeof led === 'string' ? led : led.map(({ type }) => type);
    });
    expect(told).toStrictEqual(TABLE[name]);
  });

  it('is changed in no more than what is named, and not at all by what it is already', () => {
    expect(after([created], { type: 'change', ...subscription, enabled: true, at: 9 })).toStrictEqual([]);
    expect(after([created], { type: 'change', types: null, enabled: false, at: 9 })).toStrictEqual([
      { type: 'WebhookChanged', ...subscription, types: null, at: 9 },
      { type: 'WebhookDisabled', because: 'caller', detail: '', at: 9 },
    ]);
  });

  it('keeps one replaced secret, for 24 hours', () => {
    const [first] = after([created], COMMANDS.rotate) as [WebhookEvent];
    const [second] = after([created, first], { type: 'rotate', secretId: 's3', at: 20 }) as [WebhookEvent];
    expect(fold(webhook, [created, first], webhook.initial)).toMatchObject({
      secretId: 's2',
      previousSecret: { id: 's1', until: 9 + 86_400_000 },
    });
    expect(fold(webhook, [created, first, second], webhook.initial)).toMatchObject({
      secretId: 's3',
      previousSecret: { id: 's2', until: 20 + 86_400_000 },
    });
  });
});

describe('the attempts of a delivery', () => {
  const attemptsOf = (askedMs: number, random: number): readonly number[] => {
    const times = [0];
    for (let attempts = 1; ; attempts += 1) {
      const now = times.at(-1)!;
      const next = nextAttemptAt({ firstAt: 0, attempts, now, askedMs, random });
      if (next === null) return times;
      times.push(next);
    }
  };

  it('are made after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, and the last one after a day', () => {
    const waits = attemptsOf(0, 0).map((at, n, all) => at - (all[n - 1] ?? 0));
    const minutes = waits.map((ms) => ms / 60_000);
    expect(minutes.slice(0, -1)).toStrictEqual([0, 5 / 60, 5, 30, 120, 300, 600]);
    expect(attemptsOf(0, 0).at(-1)).toBe(GIVE_UP_MS);
  });

  it('end with a day, never begin before the receiver asks, and are spread by a fifth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 * GIVE_UP_MS }),
        fc.integer({ min: 0, max: 999 }),
        (asked, thousandths) => {
          const r = thousandths / 1_000;
          const times = attemptsOf(asked, r);
          expect(times.at(-1)).toBe(GIVE_UP_MS);
          expect(times.length).toBeLessThanOrEqual(8);
          for (const [n, at] of times.entries()) {
            if (n === 0 || at === GIVE_UP_MS) continue;
            const wait = at - times[n - 1]!;
            expect(wait).toBeGreaterThanOrEqual(Math.max(asked, 5_000));
          }
          const spread = attemptsOf(0, r)[1]!;
          expect(spread).toBe(5_000 + thousandths);
        },
      ),
    );
  });
});
