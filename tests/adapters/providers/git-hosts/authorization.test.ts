import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SourceUnavailable } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { Credential } from '../../../../application/ports/secrets.ts';
import { refuse } from '../../../support/repository-host/repository-host.ts';
import { REPOSITORY, repositorySourceAt } from '../../../support/repository-provider.ts';
import { OPENED, never, toldAll } from '../listed.ts';
import { hosted, readAll } from './read-all.ts';

const TOKEN = { type: 'token', token: 'planted-token' } as const;
const NOW = Date.parse('2026-11-20T08:00:00Z');
const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('credentials', () => {
  it.each([
    [TOKEN, 'Bearer planted-token'],
    [
      { type: 'basic', username: 'jo', password: 'pass' },
      `Basic ${Buffer.from('jo:pass').toString('base64')}`,
    ],
  ] as const)('of a secret go with every request: %j', async (credential, header) => {
    const host = await hosted();
    host.put('a.md', 'one');
    host.accepts = [header];
    const source = repositorySourceAt(host.url, { credential });
    expect(toldAll(await readAll(source, { secretId: 's' }))).toEqual({ 'a.md': 'one' });
    expect(new Set(host.asked.map(({ authorization }) => authorization))).toEqual(new Set([header]));
  });

  it('that the host refuses fail the job, with one request and no word of them', async () => {
    const host = await hosted();
    host.put('a.md', 'one');
    host.accepts = ['Bearer another'];
    const error = await errorOf(
      readAll(repositorySourceAt(host.url, { credential: TOKEN }), { secretId: 's' }),
    );
    expect(error).toMatchObject({ code: 'credentials_rejected', title: 'Credentials rejected' });
    expect(error.message).not.toContain('planted');
    expect(host.asked).toHaveLength(1);
  });

  it('that may not read the repository are told from none at all', async () => {
    const host = await hosted();
    host.put('a.md', 'one');
    host.accepts = [];
    expect((await errorOf(readAll(repositorySourceAt(host.url)))).message).toContain(
      'acme/docs is not there, or needs a secret',
    );
    host.accepts = null;
    host.hook = (response) => (refuse(response, 404, 'Not Found'), true);
    const source = repositorySourceAt(host.url, { credential: TOKEN });
    expect((await errorOf(readAll(source, { secretId: 's' }))).message).toContain(
      'this secret may not read it',
    );
    host.hook = (response) => (
      refuse(response, 403, 'Resource not accessible by personal access token'),
      true
    );
    expect(await errorOf(readAll(source, { secretId: 's' }))).toMatchObject({
      code: 'credentials_rejected',
      message: expect.stringContaining('read access to contents'),
    });
  });
});

describe('an app', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const app = { type: 'app', appId: '12', installationId: '34', privateKey: pem } as const;

  it('asks with the token of its installation, and for another when that one ends midway', async () => {
    const host = await hosted();
    for (let i = 0; i < 3; i += 1) host.put(`f${i}.md`, `${i}`);
    const tokens: string[] = [];
    const jwts: string[] = [];
    let blobs = 0;
    host.hook = (response, { path, authorization = '' }) => {
      if (path === '/app/installations/34/access_tokens') {
        jwts.push(authorization.replace('Bearer ', ''));
        tokens.push(`token-${tokens.length}`);
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ token: tokens.at(-1), expires_at: new Date(NOW + 3_600_000).toISOString() }),
        );
        return true;
      }
      blobs += path.includes('/blobs/') ? 1 : 0;
      const isOver = blobs > 1 && authorization === 'Bearer token-0';
      if (isOver || authorization !== `Bearer ${tokens.at(-1)}`) refuse(response, 401, 'Bad credentials');
      return isOver || authorization !== `Bearer ${tokens.at(-1)}`;
    };
    const source = repositorySourceAt(host.url, { credential: app, now: () => NOW });
    const { fetched } = await readAll(source, { secretId: 's' });
    expect(toldAll({ fetched })).toEqual({ 'f0.md': '0', 'f1.md': '1', 'f2.md': '2' });
    expect(tokens).toHaveLength(2);
    const [head = '', claims = '', signature = ''] = jwts[0]!.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iat: NOW / 1_000 - 60,
      exp: NOW / 1_000 + 540,
      iss: '12',
    });
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verify.verify(publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('of another value of its secret asks for a token of its own at the next request', async () => {
    const host = await hosted();
    for (let i = 0; i < 2; i += 1) host.put(`f${i}.md`, `${i}`);
    host.hook = (response, { path }) => {
      const [, installation] = /installations\/(\d+)\/access_tokens/.exec(path) ?? [];
      if (installation === undefined) return false;
      const body = { token: `of-${installation}`, expires_at: new Date(NOW + 3_600_000).toISOString() };
      return (response.writeHead(201).end(JSON.stringify(body)), true);
    };
    const given: { value: Credential } = { value: app };
    const credential = () => given.value;
    const source = repositorySourceAt(host.url, { credential, now: () => NOW });
    const listing = await source.open({ ...REPOSITORY, secretId: 's' }, never, OPENED);
    const { items } = await listing.list(null, never);
    await listing.fetch(items[0]!, never);
    given.value = { ...app, installationId: '56' };
    await listing.fetch(items[1]!, never);
    await listing.close?.();
    const blobs = host.asked.filter(({ path }) => path.includes('/blobs/'));
    expect(blobs.map(({ authorization }) => authorization)).toEqual(['Bearer of-34', 'Bearer of-56']);
  });

  it('that is uninstalled midway fails the job, and no file is gone', async () => {
    const host = await hosted();
    for (let i = 0; i < 3; i += 1) host.put(`f${i}.md`, `${i}`);
    let now = NOW;
    host.hook = (response, { path }) => {
      if (!path.includes('/access_tokens')) return false;
      if (now > NOW) return (refuse(response, 404, 'Not Found'), true);
      const body = { token: 'token', expires_at: new Date(NOW + 3_600_000).toISOString() };
      return (response.writeHead(201).end(JSON.stringify(body)), true);
    };
    const source = repositorySourceAt(host.url, { credential: app, now: () => now });
    const listing = await source.open({ ...REPOSITORY, secretId: 's' }, never, OPENED);
    const { items } = await listing.list(null, never);
    now += 3_600_000;
    expect(items).toHaveLength(3);
    expect(await errorOf(listing.fetch(items[0]!, never))).toMatchObject({
      code: 'credentials_rejected',
      message: expect.stringContaining('(404)'),
    });
    await listing.close?.();
  });

  it('whose key is none fails the job without showing it', async () => {
    const host = await hosted();
    const broken = { ...app, privateKey: 'planted-key' };
    const error = await errorOf(
      readAll(repositorySourceAt(host.url, { credential: broken }), { secretId: 's' }),
    );
    expect(error).toMatchObject({ code: 'credentials_rejected' });
    expect(error.message).not.toContain('planted');
    expect(host.asked).toEqual([]);
  });
});

describe('a limit', () => {
  const limited = async (status: number, headers: Readonly<Record<string, string>>, message: string) => {
    const host = await hosted();
    host.put('a.md', 'one');
    let first = true;
    host.hook = (response, { path }) => {
      if (!path.includes('/blobs/') || !first) return false;
      first = false;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      refuse(response, status, message);
      return true;
    };
    return { host, source: repositorySourceAt(host.url, { now: () => NOW }) };
  };

  it.each([
    [403, { 'retry-after': '3' }, 'You have exceeded a secondary rate limit'],
    [429, { 'retry-after': '3' }, 'Too many requests'],
    [
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 9) },
      'API rate limit exceeded',
    ],
  ])('of seconds is waited for: %i %j', async (status, headers, message) => {
    const { source } = await limited(status, headers, message);
    expect(toldAll(await readAll(source))).toEqual({ 'a.md': 'one' });
  });

  it.each([
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 1_800) }, 'x', 1_801_000],
    [403, {}, 'You have exceeded a secondary rate limit. Please wait', 60_000],
    [429, { 'retry-after': '120' }, 'x', 120_000],
  ])('of minutes gives the worker back: %i %j', async (status, headers, message, ms) => {
    const { source } = await limited(status, headers, message);
    const error = (await errorOf(readAll(source))) as SourceUnavailable;
    expect(error).toMatchObject({ name: 'SourceUnavailable', notBefore: NOW + ms });
  });

  it('is told from a file that may not be read', async () => {
    const { source } = await limited(403, { 'x-ratelimit-remaining': '4999' }, 'Resource not accessible');
    expect(toldAll(await readAll(source))).toEqual({ 'a.md': 'refused' });
  });
});

describe('a host that fails', () => {
  it('for some files has the others read, and for all ends the attempt', async () => {
    const host = await hosted();
    for (let i = 0; i < 30; i += 1) host.put(`f${i}.md`, `${i}`);
    let fails = (index: number): boolean => index % 3 === 0;
    const seen: string[] = [];
    host.hook = (response, { path }) => {
      if (!path.includes('/blobs/')) return false;
      if (!seen.includes(path)) seen.push(path);
      if (!fails(seen.indexOf(path))) return false;
      refuse(response, 502, 'Bad gateway');
      return true;
    };
    const source = repositorySourceAt(host.url);
    const outcomes = Object.values(toldAll(await readAll(source)));
    expect(outcomes.filter((outcome) => outcome === 'not_answered')).toHaveLength(10);
    fails = () => true;
    expect(await errorOf(readAll(source))).toMatchObject({ name: 'SourceUnavailable' });
  });
});
