import { describe, expect, it } from 'vitest';
import { REPOSITORY, repositorySourceAt } from '../../../support/repository-provider.ts';
import { OPENED, never, told, toldAll } from '../listed.ts';
import { hosted, readAll } from './read-all.ts';

const paths = (asked: readonly { readonly path: string }[]): readonly string[] =>
  asked.map(({ path }) => path);

describe('a reference', () => {
  it('leads to the branch, tag or commit that it names', async () => {
    const host = await hosted();
    host.put('a.md', 'one');
    const first = host.tag('v1');
    host.put('a.md', 'two');
    const source = repositorySourceAt(host.url);
    const textAt = async (referenceType: 'default' | 'branch' | 'tag' | 'commit', referenceParam: string) =>
      told((await readAll(source, { referenceType, referenceParam })).fetched.get('a.md'));
    expect(await textAt('default', '')).toBe('two');
    expect(await textAt('branch', 'main')).toBe('two');
    expect(await textAt('tag', 'v1')).toBe('one');
    expect(await textAt('commit', first)).toBe('one');
    expect(paths(host.asked).filter((path) => path.includes('/commits/'))).toEqual(
      ['HEAD', 'heads/main', 'tags/v1', first].map((ref) => `/repos/acme/docs/commits/${ref}`),
    );
  });

  it('that is not there fails the job with what to change', async () => {
    const host = await hosted();
    host.put('a.md', 'one');
    const source = repositorySourceAt(host.url);
    await expect(readAll(source, { referenceType: 'tag', referenceParam: 'v9' })).rejects.toMatchObject({
      name: 'SourceRefused',
      code: 'reference_not_found',
      message: 'the repository has no tag v9: change the reference of its setting',
    });
  });

  it('into an empty repository leads to no file', async () => {
    const host = await hosted();
    expect((await readAll(repositorySourceAt(host.url))).fetched.size).toBe(0);
  });
});

describe('a file', () => {
  it('has an address at its commit, and its name', async () => {
    const host = await hosted();
    host.put('src/größe #1.ts', 'export {}');
    host.put('a.md', '# A');
    host.put('LICENSE', 'Free');
    const commit = host.tag('now');
    const { fetched } = await readAll(repositorySourceAt(host.url));
    const documents = [...fetched].map(([path, item]) => {
      if (item.kind !== 'document') throw new Error(`${path} is ${item.kind}`);
      const { fileName, url } = item.document;
      return [path, fileName, url.slice(host.url.length)];
    });
    const at = `/acme/docs/blob/${commit}`;
    expect(documents).toEqual([
      ['LICENSE', 'LICENSE', `${at}/LICENSE`],
      ['a.md', 'a.md', `${at}/a.md`],
      ['src/größe #1.ts', 'größe #1.ts', `${at}/src/gr%C3%B6%C3%9Fe%20%231.ts`],
    ]);
  });

  it('is left out where it is a link, a submodule, empty, too large or elsewhere, without a request where that shows', async () => {
    const host = await hosted();
    host.put('link', '../../etc/passwd', '120000');
    host.addSubmodule('sub', 'b'.repeat(40));
    host.put('__init__.py', '');
    host.put('large.txt', 'x'.repeat(1_001));
    host.put(
      'pointer.bin',
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`,
    );
    host.put('run.sh', 'echo', '100755');
    const { fetched } = await readAll(repositorySourceAt(host.url, { maxBytes: 1_000 }));
    expect(toldAll({ fetched })).toEqual({
      link: 'symlink',
      sub: 'submodule',
      '__init__.py': 'empty',
      'large.txt': 'too_large',
      'pointer.bin': 'lfs_pointer',
      'run.sh': 'echo',
    });
    expect(paths(host.asked).filter((path) => path.includes('/blobs/'))).toHaveLength(2);
  });

  it('passes the filters of paths as it is written', async () => {
    const host = await hosted();
    for (const path of ['docs/a.md', 'docs/b%41.md', 'src/a.ts', 'a.md']) host.put(path, path);
    const { fetched } = await readAll(repositorySourceAt(host.url), { pathFilters: ['docs/**', '!**/a.md'] });
    expect([...fetched.keys()]).toEqual(['docs/b%41.md']);
  });

  it('with other bytes than its hash says is not taken for it', async () => {
    const host = await hosted();
    host.put('a.md', 'one');
    host.hook = (response, { path }) => {
      if (!path.includes('/blobs/')) return false;
      response.end('something else');
      return true;
    };
    const { fetched } = await readAll(repositorySourceAt(host.url));
    expect(toldAll({ fetched })).toEqual({ 'a.md': 'wrong_bytes' });
  });
});

describe('requests', () => {
  it('are one where nothing has changed, else two and one for each changed file', async () => {
    const host = await hosted();
    for (let i = 0; i < 50; i += 1) host.put(`f${i}.md`, `text ${i}`);
    const source = repositorySourceAt(host.url);
    const before = await readAll(source);
    expect(host.asked).toHaveLength(52);
    host.asked.length = 0;
    await readAll(source, {}, before);
    expect(host.asked).toHaveLength(1);
    for (let i = 0; i < 7; i += 1) host.put(`f${i}.md`, `other text ${i}`);
    host.put('moved/f8.md', 'text 8');
    host.remove('f8.md');
    host.asked.length = 0;
    await readAll(source, {}, before);
    expect(host.asked).toHaveLength(2 + 8);
  });

  it('name the number of a repository that was renamed, whoever takes its old name', async () => {
    const host = await hosted();
    host.put('a.md', 'one');
    host.rename('acme/handbook');
    const source = repositorySourceAt(host.url);
    const read = await readAll(source);
    expect(toldAll(read)).toEqual({ 'a.md': 'one' });
    expect(paths(host.asked).slice(0, 3)).toEqual([
      '/repos/acme/docs/commits/HEAD',
      '/repositories/4711/commits/HEAD',
      expect.stringContaining('/repositories/4711/git/trees/'),
    ]);
    host.takeOver('acme/docs');
    host.put('a.md', 'two');
    expect(toldAll(await readAll(source))).toHaveProperty(['foreign.html']);
    expect(toldAll(await readAll(source, {}, read))).toEqual({ 'a.md': 'two' });
  });

  it.each([
    ['another reference', { referenceType: 'branch', referenceParam: 'main' }],
    ['other filters', { pathFilters: ['*.md'] }],
    ['a mark of another version', { syncToken: '{"a":1}' }],
  ] as const)(
    'do not trust the last answer under %s',
    async (_, { syncToken, ...parameters }: object & { syncToken?: string }) => {
      const host = await hosted();
      host.put('a.md', 'one');
      const source = repositorySourceAt(host.url);
      const before = await readAll(source);
      const left = syncToken ?? before.syncToken;
      const again = await source.open({ ...REPOSITORY, ...parameters }, never, {
        ...OPENED,
        syncToken: left,
      });
      expect(again.unchanged).toBe(false);
      expect((await again.list(null, never)).items).toHaveLength(1);
    },
  );
});

describe('a tree that the host cuts', () => {
  it('is read folder by folder, to the same items', async () => {
    const host = await hosted();
    for (const folder of ['', 'a/', 'a/b/', 'c/'])
      for (let i = 0; i < 4; i += 1) host.put(`${folder}f${i}.md`, `${folder}${i}`);
    const source = repositorySourceAt(host.url);
    const whole = await readAll(source);
    host.maxEntries = 7;
    host.asked.length = 0;
    const parts = await readAll(source, {}, { known: whole.known });
    expect([...parts.known.keys()].toSorted()).toEqual([...whole.known.keys()].toSorted());
    expect([parts.known.size, parts.fetched.size]).toEqual([16, 0]);
    expect(paths(host.asked).filter((path) => path.includes('/trees/')).length).toBeGreaterThan(2);
  });

  it('fails the job where a folder alone is too large, and so removes nothing', async () => {
    const host = await hosted();
    for (let i = 0; i < 9; i += 1) host.put(`f${i}.md`, `${i}`);
    host.maxEntries = 7;
    await expect(readAll(repositorySourceAt(host.url))).rejects.toMatchObject({
      name: 'SourceRefused',
      code: 'repository_too_large',
    });
  });
});

describe('a listing', () => {
  it('that was broken off goes on at its commit, whatever was pushed meanwhile', async () => {
    const host = await hosted();
    for (let i = 0; i < 1_500; i += 1) host.put(`f${String(i).padStart(4, '0')}.md`, `text ${i}`);
    const source = repositorySourceAt(host.url);
    const open = () => source.open(REPOSITORY, never, OPENED);
    const first = await (await open()).list(null, never);
    host.put('a.md', 'new');
    host.remove('f1200.md');
    const second = await (await open()).list(first.next, never);
    expect(first.items).toHaveLength(1_000);
    expect([second.items.length, second.next]).toEqual([500, null]);
    expect(second.items.map(({ locator }) => locator)).toContain('f1200.md');
  });

  it('finds files by their paths', async () => {
    const host = await hosted();
    host.put('a/b.md', 'one');
    const source = repositorySourceAt(host.url);
    const listing = await source.open(REPOSITORY, never, OPENED);
    const found = await listing.find!(['a/b.md', 'a', 'none.md'], never);
    expect(found.map((item) => item?.locator ?? null)).toEqual(['a/b.md', null, null]);
    const of = { dataSourceId: 'x', parameters: REPOSITORY };
    expect(await source.itemsToSync!(of, ['/a/b.md', 'a/b.md'])).toEqual(['a/b.md']);
    await expect(source.itemsToSync!(of, ['a/../b.md'])).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
