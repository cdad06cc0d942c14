import { describe, expect, it } from 'vitest';
import { idOf, paragraph } from '../../../support/wiki-host/blocks.ts';
import { refuse } from '../../../support/wiki-host/wiki-host.ts';
import { credentialsOf } from '../../../support/given-credential.ts';
import { WIKI, wikiSourceAt } from '../../../support/wiki-provider.ts';
import { OPENED, never, told } from '../listed.ts';
import { hosted, readWiki } from './read-wiki.ts';

describe('a wiki that asks to wait', () => {
  it.each([
    [429, 'rate_limited'],
    [529, 'service_overload'],
  ])('is obeyed without holding the worker, and what was read by then is kept (%i)', async (status, code) => {
    const wiki = await hosted();
    wiki.put('home', {});
    for (let i = 0; i < 10; i += 1) wiki.put(`page ${i}`, { in: 'home', blocks: [paragraph('x')] });
    const clock = { now: Date.now() };
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => void slept.push(ms);
    const source = wikiSourceAt(wiki.url, { now: () => clock.now, sleep });
    const listing = await source.open(WIKI, never, OPENED);
    let left = 7;
    wiki.hook = (response) => {
      left -= 1;
      if (left < 0) refuse(response, status, code, { 'retry-after': '75' });
      return left < 0;
    };
    const { items, next } = await listing.list(null, never);
    expect(items.length).toBeGreaterThan(2);
    await expect(listing.list(next, never)).rejects.toMatchObject({
      name: 'SourceUnavailable',
      notBefore: clock.now + 75_000,
    });
    expect(slept.filter((ms) => ms > 1_000)).toEqual([]);
    wiki.hook = () => false;
    clock.now += 75_000;
    const again = await source.open(WIKI, never, OPENED);
    const { items: others } = await again.list(next, never);
    expect(new Set([...items, ...others].map(({ locator }) => locator)).size).toBe(11);
    expect(items.length + others.length).toBe(11);
  });

  it.each<[string, string, number]>([
    ['is slow', 'little', 3_000],
    ['has large pages', 'x'.repeat(900_000), 0],
  ])(
    'ends a page of the listing early where it %s, so that a crash costs little',
    async (_, text, takesMs) => {
      const wiki = await hosted();
      wiki.put('home', {});
      for (let i = 0; i < 14; i += 1) wiki.put(`page ${i}`, { in: 'home', blocks: [paragraph(text)] });
      const clock = { now: Date.UTC(2026, 10, 23) };
      wiki.hook = () => {
        clock.now += takesMs;
        return false;
      };
      const source = wikiSourceAt(wiki.url, { now: () => clock.now });
      const listing = await source.open(WIKI, never, OPENED);
      const sizes: number[] = [];
      for (let cursor: string | null = null; ;) {
        const { items, next } = await listing.list(cursor, never);
        sizes.push(items.length);
        if (next === null) break;
        cursor = next;
      }
      expect([sizes.reduce((sum, size) => sum + size), sizes.length > 1]).toEqual([15, true]);
    },
  );

  it('is waited for where it asks for moments', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    let refused = false;
    wiki.hook = (response) => {
      if (refused) return false;
      refused = true;
      refuse(response, 429, 'rate_limited', { 'retry-after': '3' });
      return true;
    };
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => void slept.push(Math.round(ms / 1_000));
    await readWiki(wikiSourceAt(wiki.url, { sleep }));
    expect(slept).toContain(3);
  });
});

describe('requests', () => {
  it('are spread evenly over all jobs of one secret, and wait for no other one', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    const clock = { now: 1_000_000 };
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      slept.push(ms);
      clock.now += ms;
    };
    const credentials = credentialsOf({ type: 'token', token: 't' });
    const source = wikiSourceAt(wiki.url, { now: () => clock.now, sleep, credentials, requestsPerSecond: 4 });
    for (const secretId of ['one', 'one', 'two']) await source.open({ ...WIKI, secretId }, never, OPENED);
    expect(slept).toEqual([250]);
  });

  it('are tried again after a fault, and a conflict of data is one', async () => {
    const wiki = await hosted();
    wiki.put('home', { blocks: [paragraph('words')] });
    const faults = [409, 502];
    wiki.hook = (response) => {
      const fault = faults.shift();
      if (fault !== undefined) refuse(response, fault, 'fault');
      return fault !== undefined;
    };
    const { fetched } = await readWiki(wikiSourceAt(wiki.url));
    expect(told(fetched.get(idOf('home')))).toContain('words');
  });
});

describe('a job on a wiki fails with what to do', () => {
  const opening = async (status: number, code: string) => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.hook = (response) => (refuse(response, status, code), true);
    const credentials = credentialsOf({ type: 'token', token: 'planted' });
    return wikiSourceAt(wiki.url, { credentials }).open({ ...WIKI, secretId: 's-1' }, never, OPENED);
  };

  it.each([
    [401, 'unauthorized', 'Credentials rejected', /renew the secret/],
    [403, 'restricted_resource', 'Credentials rejected', /may not read content/],
    [404, 'object_not_found', 'Not found at the provider', /not shared with the integration/],
    [400, 'validation_error', 'Not found at the provider', /not shared/],
  ])('where it answers %i', async (status, code, title, message) => {
    const error = await opening(status, code).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ title, message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('planted');
  });

  it('where it may not read any more in the midst of it, so that nothing counts as deleted', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('child', { in: 'home' });
    const source = wikiSourceAt(wiki.url);
    const { ledger } = await readWiki(source);
    wiki.hook = (response, { path }) => {
      if (path.includes('/children')) refuse(response, 403, 'restricted_resource');
      return path.includes('/children');
    };
    await expect(readWiki(source, { secretId: null }, ledger)).rejects.toMatchObject({
      title: 'Credentials rejected',
    });
  });

  it('where its page is in the trash', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.trash('home');
    await expect(wikiSourceAt(wiki.url).open(WIKI, never, OPENED)).rejects.toMatchObject({
      title: 'Not found at the provider',
      message: expect.stringContaining('in the trash'),
    });
  });

  it('where it has no secret, and the wiki wants one', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.accepts = ['Bearer right'];
    await expect(wikiSourceAt(wiki.url).open(WIKI, never, OPENED)).rejects.toMatchObject({
      title: 'Credentials rejected',
      message: expect.stringContaining('secret of type token'),
    });
  });

  it('and goes on by a token that was changed meanwhile', async () => {
    const wiki = await hosted();
    wiki.put('home', { blocks: [paragraph('words')] });
    wiki.accepts = ['Bearer new'];
    let token = 'old';
    const credentials = {
      of: () => ({
        current: async () => ({ type: 'token', token }) as const,
        refused: async () => ((token = 'new'), true),
      }),
    };
    const { fetched } = await readWiki(wikiSourceAt(wiki.url, { credentials }), { secretId: 's-1' });
    expect(told(fetched.get(idOf('home')))).toContain('words');
  });
});
