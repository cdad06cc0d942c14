import { describe, expect, it } from 'vitest';
import {
  block,
  bullet,
  type Draft,
  fileBlock,
  idOf,
  numbered,
  paragraph,
  run,
  said,
  table,
} from '../../../support/wiki-host/blocks.ts';
import { wikiSourceAt } from '../../../support/wiki-provider.ts';
import { told } from '../listed.ts';
import { hosted, readWiki } from './read-wiki.ts';

/** The page as text, without its title. */
const markdownOf = async (blocks: readonly Draft[]): Promise<string> => {
  const wiki = await hosted();
  wiki.put('home', { blocks });
  const { fetched } = await readWiki(wikiSourceAt(wiki.url));
  return told(fetched.get(idOf('home')))
    .replace('---\ntitle: "home"\n---\n\n', '')
    .trimEnd();
};
const toDo = (words: string, checked: boolean): Draft => said('to_do', words, { checked });
const web = (type: string, url: string, more: object = {}): Draft =>
  block(type, { type: 'external', external: { url }, caption: [], ...more });

describe('a page as Markdown', () => {
  it.each<[string, readonly Draft[], string]>([
    ['paragraphs', [paragraph('one'), paragraph(''), paragraph('two')], 'one\n\ntwo'],
    [
      'marks, which touch what they mark',
      [
        paragraph([
          run('a '),
          run('bold ', { bold: true }),
          run('x`y', { code: true }),
          run(' old', { strikethrough: true }),
        ]),
      ],
      'a **bold** ``x`y`` ~~old~~',
    ],
    [
      'links, and addresses that stand for themselves',
      [
        paragraph([
          run('see', { href: 'https://a.example/b (c)', italic: true }),
          run(' https://b.example', { href: 'https://b.example' }),
        ]),
      ],
      '[*see*](https://a.example/b%20%28c%29) https://b.example',
    ],
    [
      'links within the wiki and to scripts as their words',
      [paragraph([run('x', { href: '/abc' }), run('y', { href: 'javascript:1' })])],
      'xy',
    ],
    [
      'mentions by their words, and equations in a line',
      [
        paragraph([
          { type: 'mention', mention: { type: 'user' }, plain_text: '@Ann', annotations: {}, href: null },
          {
            type: 'equation',
            equation: { expression: 'e=mc^2' },
            plain_text: 'e=mc^2',
            annotations: {},
            href: null,
          },
        ]),
      ],
      '@Ann$e=mc^2$',
    ],
    [
      'headings of four levels, and what is in one that opens',
      [
        said('heading_1', 'A'),
        said('heading_2', 'B\nb'),
        said('heading_3', 'C', { is_toggleable: true }, [paragraph('in it')]),
        said('heading_4', 'D'),
      ],
      '# A\n\n## B b\n\n### C\n\nin it\n\n#### D',
    ],
    [
      'text that looks like a heading, a fence or a line below one, as text',
      [paragraph('# no heading\n---\n```\n===\n#tag')],
      '\\# no heading\n\\---\n\\```\n\\===\n#tag',
    ],
    [
      'nested lists',
      [bullet('a', [bullet('b', [numbered('c'), numbered('d', [paragraph('e\nf')])])]), bullet('g')],
      '- a\n  - b\n    1. c\n    2. d\n\n       e\n       f\n- g',
    ],
    [
      'numbers, which begin anew behind another block',
      [
        numbered('a'),
        numbered('b'),
        paragraph('x'),
        numbered('c'),
        paragraph('y'),
        said('numbered_list_item', 'd', { list_start_index: 7 }),
        numbered('e'),
      ],
      '1. a\n2. b\n\nx\n\n1. c\n\ny\n\n7. d\n8. e',
    ],
    ['to-dos', [toDo('open', false), toDo('done', true)], '- [ ] open\n- [x] done'],
    [
      'toggles with what is in them',
      [said('toggle', 'More', {}, [paragraph('hidden'), bullet('x')])],
      '- More\n\n  hidden\n\n  - x',
    ],
    ['quotes over lines', [said('quote', 'a\nb', {}, [paragraph('c')])], '> a\n> b\n>\n> c'],
    [
      'callouts with their sign',
      [said('callout', 'Mind', { icon: { type: 'emoji', emoji: '💡' } })],
      '> 💡 Mind',
    ],
    [
      'code as it is, whatever is in it',
      [
        said('code', '```\n# x', { language: 'type script', caption: [run('why')] }),
        said('code', 'y', { language: 'plain text', caption: [] }),
      ],
      '````type-script\n```\n# x\n````\n\nwhy\n\n```\ny\n```',
    ],
    ['equations', [block('equation', { expression: 'x^2' })], '$$\nx^2\n$$'],
    [
      'tables',
      [table([['A', 'B'], ['a|b', 'c\nd'], ['e']])],
      '| A | B |\n| --- | --- |\n| a\\|b | c d |\n| e |  |',
    ],
    ['tables without a header', [table([['a', 'b']], false)], '|  |  |\n| --- | --- |\n| a | b |'],
    [
      'columns one after the other',
      [
        block('column_list', {}, [
          block('column', {}, [paragraph('left')]),
          block('column', {}, [paragraph('right')]),
        ]),
      ],
      'left\n\nright',
    ],
    [
      'dividers, breadcrumbs and tables of contents as nothing',
      [paragraph('a'), block('divider'), block('breadcrumb'), block('table_of_contents'), paragraph('b')],
      'a\n\nb',
    ],
    [
      'bookmarks, embeds and files elsewhere as links',
      [
        block('bookmark', { url: 'https://a.example', caption: [run('A [1]')] }),
        block('embed', { url: 'https://b.example' }),
        web('image', 'https://c.example/c.png', { caption: [run('C')] }),
        web('file', 'https://d.example/d.pdf', { name: 'd.pdf' }),
      ],
      '[A \\[1\\]](https://a.example)\n\n[https://b.example](https://b.example)\n\n![C](https://c.example/c.png)\n\n[d.pdf](https://d.example/d.pdf)',
    ],
    [
      'a file of the wiki by its name, never its signed address',
      [fileBlock('pdf', 'plan.pdf', 'x')],
      'plan.pdf',
    ],
    [
      'links to other pages',
      [block('link_to_page', { type: 'page_id', page_id: idOf('far') })],
      `[https://www.notion.so/${idOf('far').replaceAll('-', '')}](https://www.notion.so/${idOf('far').replaceAll('-', '')})`,
    ],
    [
      'types that come later by their text and what is in them',
      [said('hologram', 'seen', {}, [paragraph('within')])],
      'seen\n\nwithin',
    ],
    ['what the interface does not support as nothing', [block('unsupported'), paragraph('a')], 'a'],
  ])('has %s', async (_, blocks, expected) => {
    expect(await markdownOf(blocks)).toBe(expected);
  });

  it('shows what a synced block shows, read once for all its copies, and nothing where that may not be read', async () => {
    const wiki = await hosted();
    const original = idOf('the original');
    const copy = (of: string): Draft =>
      block('synced_block', { synced_from: { type: 'block_id', block_id: of } });
    const first = {
      ...block('synced_block', { id: original, synced_from: null }, [paragraph('shared words')]),
    };
    wiki.put('home', { blocks: [first, copy(original), copy(original), copy(idOf('hidden'))] });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url));
    expect(told(fetched.get(idOf('home'))).match(/shared words/g)).toHaveLength(3);
    const read = wiki.asked.filter(({ path }) => path.includes(original));
    // As a block of its own, and once for both copies.
    expect(read).toHaveLength(2);
  });

  it('says title and address, and of a page without text its title', async () => {
    const wiki = await hosted();
    wiki.put('home', { title: 'The  "plan":\nA # b' });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url));
    const item = fetched.get(idOf('home'))!;
    expect(told(item)).toBe('---\ntitle: "The "plan": A # b"\n---\n\nThe "plan": A # b\n');
    expect(item).toMatchObject({
      document: {
        url: `https://www.notion.so/The-plan-A-b-${idOf('home').replaceAll('-', '')}`,
        fileType: 'wiki_page',
      },
    });
  });

  it('reads 250 blocks in three requests', async () => {
    const wiki = await hosted();
    wiki.put('home', { blocks: Array.from({ length: 250 }, (_, i) => paragraph(`line ${i}.`)) });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url));
    expect(told(fetched.get(idOf('home')))).toContain('line 249.');
    expect(wiki.asked.filter(({ path }) => path.includes('/children'))).toHaveLength(3);
  });
});

describe('the properties of a row', () => {
  it('are lines before its blocks, without those that hold nothing or change with each edit', async () => {
    const wiki = await hosted();
    wiki.putDatabase('orders', {});
    const property = (type: string, value: unknown): object => ({ id: type, type, [type]: value });
    wiki.put('row', {
      in: 'orders',
      blocks: [paragraph('body')],
      properties: {
        due_date: property('date', { start: '2026-01-02', end: '2026-01-05' }),
        Text: property('rich_text', [run('two\nlines')]),
        Count: property('number', 0),
        Empty: property('number', null),
        Kind: property('select', { name: 'big' }),
        State: property('status', { name: 'done' }),
        Tags: property('multi_select', [{ name: 'a' }, { name: 'b' }]),
        Who: property('people', [{ object: 'user', name: 'Ann' }, { object: 'user' }]),
        Files: property('files', [{ name: 'x', type: 'external', external: { url: 'https://x.example/x' } }]),
        Done: property('checkbox', false),
        Link: property('url', 'https://a.example'),
        Mail: property('email', 'a@a.example'),
        Phone: property('phone_number', '+1'),
        Sum: property('formula', { type: 'number', number: 7 }),
        Is: property('formula', { type: 'boolean', boolean: true }),
        Roll: property('rollup', {
          type: 'array',
          array: [property('rich_text', [run('r')]), { type: 'title', title: [run('t')] }],
        }),
        Id: property('unique_id', { prefix: 'T', number: 12 }),
        Made: property('created_time', '2026-01-01T10:00:00.000Z'),
        Edited: property('last_edited_time', '2026-01-01T10:00:00.000Z'),
        Relation: property('relation', [{ id: idOf('row') }]),
      },
    });
    const { fetched } = await readWiki(wikiSourceAt(wiki.url), { pageId: idOf('orders') });
    expect(
      told(fetched.get(idOf('row')))
        .split('---\n\n')[1]!
        .trimEnd()
        .split('\n'),
    ).toEqual([
      '- due_date: 2026-01-02 to 2026-01-05',
      '- Text: two lines',
      '- Count: 0',
      '- Kind: big',
      '- State: done',
      '- Tags: a, b',
      '- Who: Ann',
      '- Files: https://x.example/x',
      '- Done: no',
      '- Link: https://a.example',
      '- Mail: a@a.example',
      '- Phone: +1',
      '- Sum: 7',
      '- Is: yes',
      '- Roll: r, t',
      '- Id: T-12',
      '- Made: 2026-01-01T10:00:00.000Z',
      '',
      'body',
    ]);
  });
});
