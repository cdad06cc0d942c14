import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hostAt } from '../../../../adapters/providers/git-hosts/repository-api.ts';
import { blobSha } from '../../../support/repository-host/objects.ts';
import { repositorySourceAt } from '../../../support/repository-provider.ts';
import { toldAll } from '../listed.ts';
import { hosted, readAll } from './read-all.ts';

const send = (response: ServerResponse, json: object): true => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  return true;
};
const COMMIT = 'c'.repeat(40);

describe('the interface of Gitea', () => {
  it('is known by its base: trees in pages that all say they are cut, blobs in JSON, other paths', async () => {
    const host = await hosted();
    const files = Array.from({ length: 5 }, (_, i) => ({ path: `f${i}.md`, text: Buffer.from(`text ${i}`) }));
    const rows = files.map(({ path, text }) => ({
      path,
      mode: '100644',
      type: 'blob',
      sha: blobSha(text),
      size: 6,
    }));
    host.hook = (response, { path }) => {
      const { pathname, searchParams } = new URL(path, 'http://host');
      const place = pathname.replace('/api/v1/repos/acme/docs', '');
      if (place === '') return send(response, { id: 1, default_branch: 'trunk' });
      if (place === '/git/commits/refs%2Fheads%2Ftrunk') return send(response, { sha: COMMIT });
      if (place === `/git/trees/${COMMIT}`) {
        const page = Number(searchParams.get('page'));
        const tree = rows.slice((page - 1) * 2, page * 2);
        return send(response, { sha: COMMIT, tree, truncated: true, page, total_count: rows.length });
      }
      const found = files.find(({ text }) => place === `/git/blobs/${blobSha(text)}`);
      if (found === undefined) return false;
      return send(response, { encoding: 'base64', content: found.text.toString('base64') });
    };
    const source = repositorySourceAt(`${host.url}/api/v1`);
    const { fetched } = await readAll(source);
    expect(toldAll({ fetched })).toEqual(
      Object.fromEntries(files.map(({ path, text }) => [path, text.toString()])),
    );
    expect(host.asked.filter(({ path }) => path.includes('/trees/'))).toHaveLength(3);
    const [one] = fetched.values();
    expect(one?.kind === 'document' && one.document.url).toBe(
      `${host.url}/acme/docs/src/commit/${COMMIT}/f0.md`,
    );
  });

  describe('as the server answers', () => {
    const text = Buffer.from('text');
    const blob = { path: 'a.md', mode: '100644', type: 'blob', sha: blobSha(text), size: 4 };
    /** One file, below the name that the repository has now; older names redirect, as long as nobody takes them. */
    const gitea = async (tree: object | null = [blob]) => {
      const host = await hosted();
      const state = { name: 'acme/docs', taken: false };
      host.hook = (response, { path }) => {
        const { pathname, search, searchParams } = new URL(path, 'http://host');
        const [, named = '', place = ''] = /^\/api\/v1\/repos\/([^/]+\/[^/]+)(.*)$/.exec(pathname) ?? [];
        if (named !== state.name) {
          if (state.taken) return false;
          response.writeHead(301, { location: `/api/v1/repos/${state.name}${place}${search}` }).end();
          return true;
        }
        if (place === '/git/commits/HEAD') {
          // Without the parameter the answer names every file that the commit changed.
          const files =
            searchParams.get('files') === 'false'
              ? []
              : Array.from({ length: 200_000 }, () => ({ filename: 'x'.repeat(40) }));
          return send(response, { sha: COMMIT, files });
        }
        if (place === `/git/trees/${COMMIT}`)
          return send(response, {
            sha: COMMIT,
            tree,
            truncated: false,
            page: 1,
            total_count: tree === null ? 0 : 1,
          });
        if (place !== `/git/blobs/${blobSha(text)}`) return false;
        return send(response, { encoding: 'base64', content: text.toString('base64') });
      };
      return { host, state, source: repositorySourceAt(`${host.url}/api/v1`) };
    };

    it('reads a commit that changed more files than an answer holds', async () => {
      const { source } = await gitea();
      expect(toldAll(await readAll(source))).toEqual({ 'a.md': 'text' });
    });

    it('takes the tree of a commit without files for an empty one', async () => {
      const { source } = await gitea(null);
      expect((await readAll(source)).known.size).toBe(0);
    });

    it('calls a tree that is none a fault of the host', async () => {
      const { source } = await gitea({});
      await expect(readAll(source)).rejects.toThrow('the repository host sent JSON that is no tree');
    });

    it('follows a repository to its new name, whoever takes the old one', async () => {
      const { host, state, source } = await gitea();
      const asked = () => host.asked.splice(0).map(({ path }) => /repos\/([^?]+)/.exec(path)?.[1]);
      const before = await readAll(source);
      asked();
      state.name = 'acme/handbook';
      const renamed = await readAll(source, {}, before);
      expect(asked()).toEqual([
        'acme/docs/git/commits/HEAD',
        'acme/handbook/git/commits/HEAD',
        `acme/handbook/git/trees/${COMMIT}`,
      ]);
      state.taken = true;
      await readAll(source, {}, renamed);
      expect(asked()).toEqual(['acme/handbook/git/commits/HEAD']);
      const [one] = (await readAll(source, {}, { syncToken: renamed.syncToken })).fetched.values();
      expect(one?.kind === 'document' && one.document.url).toBe(
        `${host.url}/acme/handbook/src/commit/${COMMIT}/a.md`,
      );
    });
  });

  describe('with references', () => {
    /** Resolves names as git does: a hash first, then a tag before a branch. */
    const REFS: Readonly<Record<string, string>> = {
      HEAD: 'main text',
      'refs/heads/main': 'main text',
      'refs/heads/both': 'branch text',
      'refs/tags/both': 'tag text',
      'refs/heads/feature/x': 'feature text',
      'refs/tags/release/1.2': 'release text',
      'refs/heads/abcdef1': 'text of a branch that is called like a hash',
    };
    const shaOf = (text: string): string => blobSha(Buffer.from(`commit ${text}`));
    const gitea = async (refs = REFS, repository: object | null = { id: 1, default_branch: 'main' }) => {
      const host = await hosted();
      const found = (name: string): string | undefined =>
        ['', 'refs/', 'refs/tags/', 'refs/heads/'].map((before) => refs[before + name]).find(Boolean) ??
        Object.values(refs).find((text) => name.length >= 7 && shaOf(text).startsWith(name));
      host.hook = (response, { path }) => {
        const { pathname } = new URL(path, 'http://host');
        if (repository === null) return false;
        const place = pathname.replace('/api/v1/repos/acme/docs', '');
        if (place === '') return send(response, repository);
        // A segment of the path is one name, whatever is encoded in it.
        const named = /^\/git\/commits\/([^/]+)$/.exec(place)?.[1];
        const text = named === undefined ? undefined : found(decodeURIComponent(named));
        if (text !== undefined) return send(response, { sha: shaOf(text) });
        const of = Object.values(refs).find((each) => place === `/git/trees/${shaOf(each)}`);
        if (of !== undefined) {
          const blob = { path: 'a.md', mode: '100644', type: 'blob', sha: blobSha(Buffer.from(of)) };
          return send(response, { tree: [blob], truncated: false, total_count: 1 });
        }
        const held = Object.values(refs).find((each) => place === `/git/blobs/${blobSha(Buffer.from(each))}`);
        if (held === undefined) return false;
        return send(response, { encoding: 'base64', content: Buffer.from(held).toString('base64') });
      };
      return { host, source: repositorySourceAt(`${host.url}/api/v1`) };
    };

    it.each([
      ['default', '', 'main text'],
      ['branch', 'both', 'branch text'],
      ['tag', 'both', 'tag text'],
      ['branch', 'feature/x', 'feature text'],
      ['tag', 'release/1.2', 'release text'],
      ['commit', shaOf('tag text').slice(0, 9), 'tag text'],
    ] as const)('reads the %s %s and no other of that name', async (referenceType, referenceParam, text) => {
      const { source } = await gitea();
      expect(toldAll(await readAll(source, { referenceType, referenceParam }))).toEqual({ 'a.md': text });
    });

    it('reads a default branch with a slash, whether or not the host knows HEAD', async () => {
      const refs = { 'refs/heads/release/2.0': 'two' };
      const { source } = await gitea(refs, { id: 1, default_branch: 'release/2.0' });
      expect(toldAll(await readAll(source))).toEqual({ 'a.md': 'two' });
    });

    it('asks once where nothing has changed', async () => {
      const { host, source } = await gitea();
      const before = await readAll(source);
      host.asked.length = 0;
      await readAll(source, {}, before);
      expect(host.asked).toHaveLength(1);
    });

    it.each([
      ['branch', 'release/1.2'],
      ['tag', 'feature/x'],
      ['tag', 'none'],
      ['commit', 'abcdef1'],
      ['commit', 'f'.repeat(40)],
    ] as const)('says that there is no %s %s', async (referenceType, referenceParam) => {
      const { source } = await gitea();
      await expect(readAll(source, { referenceType, referenceParam })).rejects.toMatchObject({
        code: 'reference_not_found',
        message: `the repository has no ${referenceType} ${referenceParam}: change the reference of its setting`,
      });
    });

    it('finds no file in an empty repository', async () => {
      const { source } = await gitea({}, { id: 1, default_branch: 'main', empty: true });
      expect((await readAll(source)).fetched.size).toBe(0);
    });

    it('says that a repository is not there', async () => {
      const { source } = await gitea({}, null);
      await expect(readAll(source)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  it.each([
    ['https://api.github.com', 'https://api.github.com/', 'https://github.com/'],
    ['https://git.example/api/v3/', 'https://git.example/api/v3/', 'https://git.example/'],
    ['https://example.org/git/api/v1', 'https://example.org/git/api/v1/', 'https://example.org/git/'],
  ])('and of others: %s', (given, base, web) => {
    const host = hostAt(given);
    expect([host.base.href, host.web.href]).toEqual([base, web]);
  });
});
