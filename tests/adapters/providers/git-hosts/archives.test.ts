import { describe, expect, it } from 'vitest';
import { repositorySourceAt } from '../../../support/repository-provider.ts';
import type { RepositoryHost } from '../../../support/repository-host/repository-host.ts';
import { toldAll } from '../listed.ts';
import { hosted, readAll } from './read-all.ts';

const MANY = 120;

/** A host with more files than are fetched one by one. */
const withMany = async (): Promise<{ host: RepositoryHost; expected: Record<string, string> }> => {
  const host = await hosted();
  const expected: Record<string, string> = {};
  for (let i = 0; i < MANY; i += 1) {
    const path = i % 2 === 0 ? `docs/f${i}.md` : `f${i}.md`;
    expected[path] = `text ${i}`;
    host.put(path, `text ${i}`);
  }
  return { host, expected };
};
const blobs = (host: RepositoryHost): number =>
  host.asked.filter(({ path }) => path.includes('/git/blobs/')).length;

describe('many files', () => {
  it('come in one archive: four requests', async () => {
    const { host, expected } = await withMany();
    const { fetched } = await readAll(repositorySourceAt(host.url));
    expect(toldAll({ fetched })).toEqual(expected);
    expect([host.asked.length, host.archivesAsked.length]).toEqual([3, 1]);
  });

  it('are fetched one by one where the archive leaves them out, changes them or ends too early', async () => {
    const { host, expected } = await withMany();
    host.archive = { without: ['f1.md', 'f3.md'], changed: ['f5.md'], hostile: true };
    const source = repositorySourceAt(host.url);
    expect(toldAll(await readAll(source))).toEqual(expected);
    expect(blobs(host)).toBe(3);

    host.archive = { cut: true };
    host.asked.length = 0;
    expect(toldAll(await readAll(source))).toEqual(expected);
    expect(blobs(host)).toBeGreaterThan(MANY / 3);
    expect(blobs(host)).toBeLessThan(MANY);
  });

  it.each([
    ['no gzip', '<html>an error that says it is none</html>'],
    ['gzip that is cut', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1])],
    ['empty', ''],
    ['not there', '', 404],
    ['not made by the host', '', 500],
  ])('are fetched one by one where the archive is %s', async (_, body, status = 200) => {
    const { host, expected } = await withMany();
    host.hook = (response, { path }) => {
      if (!path.includes('/tarball/')) return false;
      response.writeHead(status).end(body);
      return true;
    };
    expect(toldAll(await readAll(repositorySourceAt(host.url)))).toEqual(expected);
    expect(blobs(host)).toBe(MANY);
  });

  it('that are there already cost no archive, and few changed ones do not either', async () => {
    const { host } = await withMany();
    const source = repositorySourceAt(host.url);
    const before = await readAll(source);
    for (let i = 1; i < 40; i += 2) host.put(`f${i}.md`, `other ${i}`);
    host.archivesAsked.length = 0;
    const { fetched } = await readAll(source, {}, before);
    expect([fetched.size, host.archivesAsked.length]).toEqual([20, 0]);
  });

  it('take no credentials to where archives come from', async () => {
    const { host } = await withMany();
    host.accepts = ['Bearer planted'];
    const credential = { type: 'token', token: 'planted' } as const;
    await readAll(repositorySourceAt(host.url, { credential }), { secretId: 's' });
    expect(host.archivesAsked.map(({ authorization }) => authorization)).toEqual([undefined]);
    expect(new Set(host.asked.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer planted']),
    );
  });
});
