import { describe, expect, it } from 'vitest';
import { createAuthenticate } from '../../../../application/access/api-keys/authenticate.ts';
import type { ApiKeyRow } from '../../../../application/ports/access-views.ts';
import { REQUEST } from './keys-in-memory.ts';

const ROW: ApiKeyRow = { ...REQUEST, id: 'k', tenant: 'acme', keyHash: '#key', createdAt: 0, revision: 0n };

/** Keys by their hashes, which a test may change, and how often they were looked up. */
const setUp = (rows: Record<string, ApiKeyRow> = { '#key': ROW }) => {
  const time = { now: 1_000 };
  const asked: string[] = [];
  const authenticate = createAuthenticate({
    view: {
      byHash: async (keyHash: string) => {
        asked.push(keyHash);
        return rows[keyHash] ?? null;
      },
    } as never,
    hash: { sha256: (key) => `#${String(key)}` },
    clock: { now: () => time.now },
  });
  return { authenticate, rows, time, asked };
};
const refused = (reason: string) => ({ ok: false, reason });

describe('whoever sends a key', () => {
  it('is known by its hash', async () => {
    const { authenticate, asked } = setUp();
    expect(await authenticate('key')).toEqual({ ok: true, key: ROW });
    expect(await authenticate('other')).toEqual(refused('invalid_api_key'));
    expect(asked).toEqual(['#key', '#other']);
  });

  it('is told that there is none, and of one that is far too long without a look', async () => {
    const longest = 'x'.repeat(200);
    const { authenticate, asked } = setUp({ [`#${longest}`]: ROW });
    for (const none of [undefined, '']) expect(await authenticate(none)).toEqual(refused('missing_api_key'));
    expect(await authenticate(`${longest}x`)).toEqual(refused('invalid_api_key'));
    expect(asked).toEqual([]);
    expect((await authenticate(longest)).ok).toBe(true);
  });

  it('is refused from the moment on in which the key expires', async () => {
    const { authenticate, time } = setUp({ '#key': { ...ROW, expiresAt: 1_500 } });
    time.now = 1_499;
    expect((await authenticate('key')).ok).toBe(true);
    time.now = 1_500;
    expect(await authenticate('key')).toEqual(refused('expired_api_key'));
  });
});

describe('a look-up', () => {
  it('is reused for a second', async () => {
    const { authenticate, rows, time, asked } = setUp();
    await authenticate('key');
    delete rows['#key'];
    time.now += 999;
    expect((await authenticate('key')).ok).toBe(true);
    expect(asked).toHaveLength(1);
    time.now += 1;
    expect(await authenticate('key')).toEqual(refused('invalid_api_key'));
  });

  it('that found nothing is made again each time', async () => {
    const { authenticate, rows } = setUp({});
    expect((await authenticate('key')).ok).toBe(false);
    rows['#key'] = ROW;
    expect((await authenticate('key')).ok).toBe(true);
  });

  it('is forgotten when the keys have changed', async () => {
    const { authenticate, rows } = setUp();
    await authenticate('key');
    delete rows['#key'];
    authenticate.forget();
    expect((await authenticate('key')).ok).toBe(false);
  });

  it('is one of ten thousand at the most: then all are forgotten', async () => {
    const all = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`#${n}`, ROW]));
    const { authenticate, asked } = setUp(all);
    for (let n = 0; n < 10_000; n += 1) await authenticate(String(n));
    await authenticate('0');
    expect(asked).toHaveLength(10_000);
    await authenticate('10000');
    await authenticate('0');
    expect(asked.slice(-2)).toEqual(['#10000', '#0']);
  });
});
