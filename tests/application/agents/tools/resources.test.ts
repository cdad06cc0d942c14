import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import {
  CONTENT_URI_TEMPLATE,
  contentUri,
  readContentUri,
} from '../../../../application/agents/tools/content-uri.ts';
import { linksFrom, withExternalUrl } from '../../../../application/agents/tools/links.ts';
import { createKnowledgeResources } from '../../../../application/agents/tools/resources.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { contentOf } from '../../../support/completions.ts';
import { AGENT, uuid } from './knowledge-tools.ts';

describe('the name of a content', () => {
  it('is read as it was made, for whom it was made', () => {
    const asked = fc.record(
      {
        principalId: fc.string({ unit: 'grapheme', maxLength: 40 }),
        authzPolicy: fc.string({ maxLength: 40 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.uuid(), asked, (id, by) => {
        expect(readContentUri(contentUri(id, by))).toEqual({ id, principal: by });
      }),
    );
    expect(contentUri(uuid(1))).toBe(`knowledger://contents/${uuid(1)}`);
    expect(contentUri(uuid(1), { principalId: 'a b', authzPolicy: 'c' })).toBe(
      `knowledger://contents/${uuid(1)}?principal_id=a+b&authz_policy=c`,
    );
    expect(readContentUri(`knowledger://contents/${uuid(1).toUpperCase()}`)).toEqual({
      id: uuid(1),
      principal: {},
    });
    expect(CONTENT_URI_TEMPLATE).toBe('knowledger://contents/{id}{?principal_id,authz_policy}');
  });

  it.each([
    '',
    'x',
    `https://contents/${uuid(1)}`,
    `knowledger://sources/${uuid(1)}`,
    `knowledger://contents/${uuid(1)}#a`,
    `knowledger://contents/x${uuid(1)}`,
    `knowledger://contents/${uuid(1)}/x`,
    `knowledger://contents/${uuid(1)}?principal_id=${'x'.repeat(1_000)}`,
  ])('is not %s', (uri) => {
    expect(() => readContentUri(uri)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: `this is not the URI of a content; its format is ${CONTENT_URI_TEMPLATE}`,
      }),
    );
  });

  it('has a thousand characters at the most', () => {
    const start = `knowledger://contents/${uuid(1)}?principal_id=`;
    const longest = start + 'x'.repeat(1_000 - start.length);
    expect(readContentUri(longest).principal.principalId).toHaveLength(1_000 - start.length);
    expect(() => readContentUri(`${longest}x`)).toThrow('not the URI of a content');
  });
});

describe('addresses within the service', () => {
  const links = linksFrom('https://k.example');

  it.each([
    ['/v1/files/a', 'https://k.example/v1/files/a'],
    ['//other.example/a', '//other.example/a'],
    ['https://other.example/a', 'https://other.example/a'],
    ['a/b', 'a/b'],
  ])('are told with its own before them, and no other: %s', (stored, shown) => {
    expect(links.external(stored)).toBe(shown);
    expect(links.stored(shown)).toBe(stored);
    expect(withExternalUrl({ ...contentOf(1), url: stored }, links)).toEqual({ ...contentOf(1), url: shown });
  });
});

describe('contents by their names', () => {
  const rows = [
    contentOf(1),
    { ...contentOf(2), text: 'to jo@example.org', keywords: ['jo@example.org', 'mail'] },
  ];
  const open = (more: { readonly hasMore?: boolean; readonly rows?: typeof rows } = {}) => {
    const asked: unknown[] = [];
    const resources = createKnowledgeResources({
      query: async (_caller, request, onBehalfOf) => {
        asked.push([request, onBehalfOf]);
        return { rows, hasMore: false, total: 2, ...more };
      },
      sources: {
        content: async (_caller: unknown, id: string, onBehalfOf: unknown) => {
          asked.push([id, onBehalfOf]);
          return rows[1]!;
        },
      } as unknown as Parameters<typeof createKnowledgeResources>[0]['sources'],
      rulesFor: async () => compileRules([{ name: 'email', kind: 'email' }], textPatterns),
    });
    return { asked, ...resources };
  };
  const hidden = { ...rows[1]!, text: 'to [email]', keywords: ['mail'] };

  it('are listed fifty at a time, as policies let them be read', async () => {
    const { list, asked } = open();
    expect(await list({ ...AGENT, onBehalfOf: { principalId: 'jo' } }, undefined)).toEqual({
      resources: [
        { uri: contentUri(rows[0]!.id), content: rows[0] },
        { uri: contentUri(rows[1]!.id), content: hidden },
      ],
    });
    const page = { limit: 50 };
    expect(asked).toStrictEqual([[{ filter: {}, sort: 'timestamp', page }, { principalId: 'jo' }]]);
  });

  it('go on behind a cursor that the list gave, and behind no other', async () => {
    const { list, asked } = open({ hasMore: true });
    expect((await list(AGENT, uuid(9))).nextCursor).toBe(rows[1]!.id);
    expect(asked).toMatchObject([[{ page: { limit: 50, after: uuid(9) } }, {}]]);
    const alone = open({ hasMore: true, rows: [rows[0]!] });
    expect((await alone.list(AGENT, undefined)).nextCursor).toBe(rows[0]!.id);
    expect('nextCursor' in (await open({ hasMore: true, rows: [] }).list(AGENT, undefined))).toBe(false);
    for (const cursor of ['', 'x', `${uuid(9)}0`, `0${uuid(9)}`, uuid(9).toUpperCase().replace('0', 'A')])
      await expect(list(AGENT, cursor)).rejects.toMatchObject({
        code: 'invalid_cursor',
        message: 'this is not a cursor of this list: send one that the list returned, or none',
      });
  });

  it('are read for whom their name says, as policies let them be read', async () => {
    const { read, asked } = open();
    const uri = contentUri(uuid(2), { principalId: 'jo' });
    expect(await read(AGENT, uri)).toEqual({ uri, content: hidden });
    expect(asked).toEqual([[uuid(2), { principalId: 'jo' }]]);
    await expect(read({ ...AGENT, onBehalfOf: { principalId: 'al' } }, uri)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'principal_id is settled for this connection: leave it out',
    });
    const policy = contentUri(uuid(2), { authzPolicy: 'strict' });
    await expect(read({ ...AGENT, onBehalfOf: { authzPolicy: 'other' } }, policy)).rejects.toThrow(
      'authz_policy is settled for this connection: leave it out',
    );
  });
});
