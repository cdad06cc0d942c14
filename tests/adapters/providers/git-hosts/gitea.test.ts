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
      if (place === '/git/commits/trunk') return send(response, { sha: COMMIT });
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

  it.each([
    ['https://api.github.com', 'https://api.github.com/', 'https://github.com/'],
    ['https://git.example/api/v3/', 'https://git.example/api/v3/', 'https://git.example/'],
    ['https://example.org/git/api/v1', 'https://example.org/git/api/v1/', 'https://example.org/git/'],
  ])('and of others: %s', (given, base, web) => {
    const host = hostAt(given);
    expect([host.base.href, host.web.href]).toEqual([base, web]);
  });
});
