import { describe, expect, it } from 'vitest';
import { block, type Draft, fileBlock, idOf, paragraph, run } from '../../../support/wiki-host/blocks.ts';
import { refuse, type WikiHost } from '../../../support/wiki-host/wiki-host.ts';
import { credentialsOf } from '../../../support/given-credential.ts';
import { WIKI, wikiSourceAt } from '../../../support/wiki-provider.ts';
import { OPENED, never, told } from '../listed.ts';
import { hosted, readWiki } from './read-wiki.ts';

const LOCATOR = `${idOf('home')}/${idOf(`${idOf('home')}/0/file`)}`;
const withPlan = (wiki: WikiHost, words: string, name = 'plan.txt'): void =>
  void wiki.put('home', { blocks: [fileBlock('file', name, words)] });
const fileAt = (url: string): Draft => ({
  type: 'file',
  content: { name: 'a', type: 'file', file: { url }, caption: [] },
});

describe('a file that a wiki keeps', () => {
  it('is read without the token, and led to by the page that holds it', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'the plan');
    wiki.accepts = ['Bearer planted'];
    const credentials = credentialsOf({ type: 'token', token: 'planted' });
    const source = wikiSourceAt(wiki.url, { credentials });
    const { fetched } = await readWiki(source, { secretId: 's-1' });
    expect(fetched.get(LOCATOR)).toMatchObject({
      kind: 'document',
      document: {
        fileName: 'plan.txt',
        mediaType: 'application/octet-stream',
        url: `https://www.notion.so/${LOCATOR.replaceAll('-', '').replace('/', '#')}`,
      },
    });
    expect(told(fetched.get(LOCATOR))).toBe('the plan');
    expect(wiki.filesAsked.map(({ authorization }) => authorization)).toEqual([undefined]);
    expect(told(fetched.get(idOf('home')))).not.toContain('Signature');
  });

  it('is the same under each new address, and read again when it is another', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'the plan');
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    withPlan(wiki, 'the plan');
    const second = await readWiki(source, {}, first.ledger);
    expect([...second.fetched.keys()]).toEqual([idOf('home')]);
    expect(told(second.fetched.get(idOf('home')))).toBe(told(first.fetched.get(idOf('home'))));
    withPlan(wiki, 'the new plan', 'new.txt');
    const third = await readWiki(source, {}, second.ledger);
    expect(told(third.fetched.get(LOCATOR))).toBe('the new plan');
    wiki.put('home', { blocks: [paragraph('no file')] });
    expect((await readWiki(source, {}, third.ledger)).listed).toEqual([idOf('home')]);
  });

  it('is asked for once more where its address has ended', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'the plan');
    const listing = await wikiSourceAt(wiki.url).open(WIKI, never, OPENED);
    const { items } = await listing.list(null, never);
    wiki.expireFiles();
    expect(
      told(
        await listing.fetch(
          items.find(({ locator }) => locator === LOCATOR)!,
          never,
        ),
      ),
    ).toBe('the plan');
    expect(wiki.filesAsked).toHaveLength(2);
  });

  it('is left out where it is too large', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'x'.repeat(2_000));
    const { fetched } = await readWiki(wikiSourceAt(wiki.url, { maxBytes: 1_000 }));
    expect(told(fetched.get(LOCATOR))).toBe('too_large');
  });

  it('is found in properties too, and is a link where it lies elsewhere', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'unused');
    const url = `${wiki.filesUrl}/workspace/${LOCATOR.split('/')[1]}/x.txt?X-Amz-Signature=9`;
    wiki.put('row', {
      properties: {
        Attached: {
          id: 'at',
          type: 'files',
          files: [
            { name: 'here.txt', type: 'file', file: { url } },
            { name: 'there', type: 'external', external: { url: 'https://there.example/x' } },
          ],
        },
      },
      blocks: [
        block('pdf', {
          type: 'external',
          external: { url: 'https://far.example/y.pdf' },
          caption: [run('Y')],
        }),
      ],
    });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url), { pageId: idOf('row') });
    expect([...fetched.keys()]).toEqual([idOf('row'), `${idOf('row')}/at.0`]);
    expect(told(fetched.get(`${idOf('row')}/at.0`))).toBe('unused');
    expect(told(fetched.get(idOf('row')))).toContain(
      'here.txt, https://there.example/x\n\n[Y](https://far.example/y.pdf)',
    );
  });

  it.each([
    ['may not be asked', 'http://10.0.0.1/a.txt', 'address_not_allowed'],
    ['does not answer', 'http://127.0.0.1:1/a.txt', 'not_answered'],
  ])('is an error of its own where its storage %s', async (_, url, code) => {
    const wiki = await hosted();
    wiki.put('home', { blocks: [fileAt(url)] });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url));
    expect([...fetched.values()].map(({ kind }) => kind)).toEqual(['document', 'failed']);
    expect(told([...fetched.values()][1])).toBe(code);
  });

  it('is an error of its own where the storage wants to know who asks', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'the plan');
    const url = `${wiki.url}/pages/${idOf('home')}`;
    wiki.hook = (response, { path }) =>
      path === new URL(url).pathname && wiki.asked.length > 1 && (refuse(response, 401, 'no'), true);
    wiki.put('home', {
      blocks: [{ type: 'file', content: { name: 'a', type: 'file', file: { url }, caption: [] } }],
    });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url));
    expect(told(fetched.get(LOCATOR))).toBe('refused');
  });

  it('is named by a sync as its errors name it', async () => {
    const wiki = await hosted();
    withPlan(wiki, 'the plan');
    const source = wikiSourceAt(wiki.url);
    const of = { dataSourceId: 'ds-1', parameters: {} as never };
    expect(await source.itemsToSync!(of, [LOCATOR, LOCATOR.toUpperCase().split('/')[0]!])).toEqual([
      LOCATOR,
      idOf('home'),
    ]);
    await expect(source.itemsToSync!(of, ['a/b'])).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
