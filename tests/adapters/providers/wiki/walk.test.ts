import { describe, expect, it } from 'vitest';
import { block, bullet, idOf, paragraph, said } from '../../../support/wiki-host/blocks.ts';
import { refuse } from '../../../support/wiki-host/wiki-host.ts';
import { WIKI, wikiSourceAt } from '../../../support/wiki-provider.ts';
import { OPENED, never, told } from '../listed.ts';
import { askedSince, hosted, readWiki } from './read-wiki.ts';

const named = (...names: readonly string[]): readonly string[] => names.map(idOf).toSorted();

describe('a walk through a wiki', () => {
  it('finds pages at any depth, in columns, toggles and databases, and no page of a copy', async () => {
    const wiki = await hosted();
    const [column, toggle, synced] = ['column', 'toggle', 'synced'].map(idOf);
    wiki.put('home', {
      blocks: [
        block('column_list', {}, [block('column', { id: column }, [paragraph('x')])]),
        said('toggle', 'More', { id: toggle }, [paragraph('y')]),
        block('synced_block', { synced_from: { type: 'block_id', block_id: synced } }),
      ],
    });
    wiki.put('in a column', { in: column! });
    wiki.put('in a toggle', { in: toggle! });
    wiki.put('below', { in: 'in a toggle' });
    wiki.putDatabase('table', { in: 'in a toggle' });
    wiki.put('row', { in: 'table' });
    wiki.put('below a row', { in: 'row' });
    wiki.put('elsewhere', {
      blocks: [block('synced_block', { id: synced, synced_from: null }, [paragraph('z')])],
    });
    wiki.put('in a copy', { in: synced! });
    const { listed } = await readWiki(wikiSourceAt(wiki.url));
    expect(listed.toSorted()).toEqual(
      named('home', 'in a column', 'in a toggle', 'below', 'row', 'below a row'),
    );
  });

  it('looks at nothing below where children are not wanted', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('child', { in: 'home' });
    wiki.putDatabase('table', { in: 'home' });
    wiki.put('row', { in: 'table' });
    wiki.put('below a row', { in: 'row' });
    const source = wikiSourceAt(wiki.url);
    expect((await readWiki(source, { includeChildren: false })).listed).toEqual(named('home'));
    const rows = await readWiki(source, { pageId: idOf('table'), includeChildren: false });
    expect(rows.listed).toEqual(named('row'));
  });

  it('costs a request for a page and one for a hundred rows while nothing changes', async () => {
    const wiki = await hosted();
    wiki.put('home', { blocks: [bullet('a', [bullet('b')])] });
    for (const child of ['one', 'two']) wiki.put(child, { in: 'home', blocks: [paragraph(child)] });
    wiki.putDatabase('table', { in: 'two' });
    for (let i = 0; i < 120; i += 1) wiki.put(`row ${i}`, { in: 'table', blocks: [paragraph(`row ${i}`)] });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    expect([first.listed.length, first.fetched.size]).toEqual([123, 123]);
    const before = wiki.asked.length;
    const again = await readWiki(source, {}, first.ledger);
    expect([again.listed.length, again.fetched.size]).toEqual([123, 0]);
    expect(askedSince(wiki, before)).toEqual([
      'pages/…',
      'blocks/…/children',
      'blocks/…/children',
      'blocks/…/children',
      'databases/…',
      'data_sources/…/query',
      'data_sources/…/query',
    ]);
  });

  it('finds a change far below pages that did not change', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('middle', { in: 'home' });
    wiki.put('leaf', { in: 'middle', blocks: [paragraph('old')] });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    wiki.put('leaf', { blocks: [paragraph('new')] });
    const { fetched } = await readWiki(source, {}, first.ledger);
    expect([...fetched].map(([id, item]) => [id, told(item).includes('new')])).toEqual([
      [idOf('leaf'), true],
    ]);
    wiki.put('leaf', { title: 'Another name' });
    // The page above shows it.
    const renamed = await readWiki(source, {}, first.ledger);
    expect([...renamed.fetched.keys()]).toEqual([idOf('middle'), idOf('leaf')]);
  });

  it('finds pages that were moved in, and loses those that were moved out, though no time tells', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('a', { in: 'home' });
    wiki.put('b', { in: 'home' });
    wiki.put('archive', {});
    for (const old of ['old', 'older']) wiki.put(old, { in: 'archive', blocks: [paragraph(old)] });
    wiki.put('below old', { in: 'old' });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    wiki.move('old', 'a');
    wiki.move('b', 'archive');
    const second = await readWiki(source, {}, first.ledger);
    expect(second.listed.toSorted()).toEqual(named('home', 'a', 'old', 'below old'));
    wiki.move('old', 'home');
    const third = await readWiki(source, {}, second.ledger);
    expect(third.listed.toSorted()).toEqual(named('home', 'a', 'old', 'below old'));
    // Its place is another one, its words are the same.
    expect([...third.fetched.keys()].toSorted()).toEqual(named('home', 'a'));
  });

  it('finds pages that were moved into a row that has some, and loses those of a toggle that are in the trash', async () => {
    const wiki = await hosted();
    const toggle = idOf('toggle');
    wiki.put('home', { blocks: [said('toggle', 'x', { id: toggle }, [paragraph('y')])] });
    wiki.put('in a toggle', { in: toggle });
    wiki.putDatabase('table', { in: 'home' });
    wiki.put('row', { in: 'table' });
    wiki.put('first', { in: 'row' });
    wiki.put('archive', {});
    wiki.put('second', { in: 'archive' });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    wiki.move('second', 'row');
    wiki.trash('in a toggle');
    const { listed } = await readWiki(source, {}, first.ledger);
    expect(listed.toSorted()).toEqual(named('home', 'row', 'first', 'second'));
  });

  it('asks anew for rows whose place in the answer is not taken any more', async () => {
    const wiki = await hosted();
    wiki.putDatabase('table', {});
    for (let i = 0; i < 150; i += 1) wiki.put(`row ${i}`, { in: 'table' });
    let queries = 0;
    wiki.hook = (response, { path }) => {
      if (!path.endsWith('/query') || ++queries !== 2) return false;
      refuse(response, 400, 'validation_error');
      return true;
    };
    const { listed } = await readWiki(wikiSourceAt(wiki.url), { pageId: idOf('table') });
    expect([listed.length, queries]).toEqual([150, 4]);
  });

  it('leaves out what is in the trash, and finds it again when it is restored', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('gone', { in: 'home' });
    wiki.put('below', { in: 'gone' });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    wiki.trash('gone');
    const second = await readWiki(source, {}, first.ledger);
    expect(second.listed).toEqual(named('home'));
    wiki.restore('gone');
    expect((await readWiki(source, {}, second.ledger)).listed).toHaveLength(3);
  });

  it('reads a page of the last minute once more, since a later edit would have the same time', async () => {
    const wiki = await hosted();
    const clock = { now: 0 };
    wiki.put('home', { blocks: [paragraph('first')] });
    const source = wikiSourceAt(wiki.url, { now: () => clock.now });
    clock.now = wiki.clock.now + 20_000;
    const first = await readWiki(source);
    // In the same minute: no time changes.
    wiki.clock.now -= 60_000;
    wiki.put('home', { blocks: [paragraph('second')] });
    clock.now += 3_600_000;
    const second = await readWiki(source, {}, first.ledger);
    expect(told(second.fetched.get(idOf('home')))).toContain('second');
    expect((await readWiki(source, {}, second.ledger)).fetched.size).toBe(0);
  });

  it('reads everything afresh where it is told to', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('child', { in: 'home' });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    expect((await readWiki(source, {}, first.ledger, true)).fetched.size).toBe(2);
  });

  it('keeps what is below a page that cannot be read, and asks for the page again', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('broken', { in: 'home' });
    wiki.put('below', { in: 'broken' });
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    wiki.hook = (response, { path }) => {
      const breaks = path.includes(`blocks/${idOf('broken')}/children`);
      if (breaks) refuse(response, 500, 'internal_server_error');
      return breaks;
    };
    for (const readAll of [false, true]) {
      const second = await readWiki(source, {}, first.ledger, readAll);
      expect(second.listed.toSorted()).toEqual(named('home', 'broken', 'below'));
      expect(told(second.fetched.get(idOf('broken')))).toBe('not_answered');
    }
    const { ledger } = await readWiki(source, {}, first.ledger);
    wiki.hook = () => false;
    expect((await readWiki(source, {}, ledger)).fetched.has(idOf('broken'))).toBe(true);
  });

  it('removes nothing where the rows of a database do not answer', async () => {
    const wiki = await hosted();
    wiki.putDatabase('table', {});
    for (let i = 0; i < 150; i += 1) wiki.put(`row ${i}`, { in: 'table' });
    let queries = 0;
    wiki.hook = (response, { path }) => {
      if (!path.endsWith('/query') || ++queries === 1) return false;
      refuse(response, 503, 'service_unavailable');
      return true;
    };
    const reading = readWiki(wikiSourceAt(wiki.url), { pageId: idOf('table') });
    await expect(reading).rejects.toMatchObject({ name: 'SourceUnavailable', oneRequest: true });
  });

  it('lists what is not shared with the integration, and takes away what was', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    wiki.put('private', { in: 'home', blocks: [paragraph('x')] });
    wiki.putDatabase('view', { in: 'home' });
    wiki.putDatabase('table', { in: 'home' });
    wiki.put('row', { in: 'table' });
    wiki.unshared.add(idOf('view'));
    const source = wikiSourceAt(wiki.url);
    const first = await readWiki(source);
    expect(told(first.fetched.get(idOf('view')))).toBe('not_shared');
    wiki.unshared.add(idOf('private')).add(idOf('table'));
    const second = await readWiki(source, {}, first.ledger);
    expect(Object.fromEntries([...second.fetched].map(([id, item]) => [id, told(item)]))).toEqual({
      [idOf('private')]: 'gone',
      [idOf('table')]: 'not_shared',
      [idOf('view')]: 'not_shared',
    });
    expect(second.ledger.has(idOf('row'))).toBe(false);
  });

  it('finds all rows of a database that has more than a query answers', async () => {
    const wiki = await hosted();
    wiki.putDatabase('table', {});
    wiki.maxRows = 120;
    for (let i = 0; i < 300; i += 1) wiki.put(`row ${i}`, { in: 'table' });
    const { listed } = await readWiki(wikiSourceAt(wiki.url), { pageId: idOf('table') });
    expect(listed).toHaveLength(300);
    // The windows overlap by a row.
    expect(askedSince(wiki, 0).filter((path) => path.startsWith('blocks'))).toHaveLength(300);
    // All that one query answers is of one minute: there is no way to the others.
    wiki.maxRows = 1;
    const stuck = readWiki(wikiSourceAt(wiki.url), { pageId: idOf('table') });
    await expect(stuck).rejects.toMatchObject({ code: 'too_many_rows' });
  });

  it('finds the rows of databases that stand among the rows of another one', async () => {
    const wiki = await hosted();
    wiki.putDatabase('wiki of people', {});
    wiki.put('a page', { in: 'wiki of people' });
    wiki.putDatabase('inner', { in: 'wiki of people' });
    wiki.put('an inner page', { in: 'inner' });
    const { listed } = await readWiki(wikiSourceAt(wiki.url), { pageId: idOf('wiki of people') });
    expect(listed.toSorted()).toEqual(named('a page', 'an inner page'));
  });

  it('goes on where it was broken off, and reads no page twice', async () => {
    const wiki = await hosted();
    wiki.put('home', {});
    for (let i = 0; i < 50; i += 1) wiki.put(`page ${i}`, { in: 'home' });
    wiki.putDatabase('table', { in: 'page 7' });
    for (let i = 0; i < 130; i += 1) wiki.put(`row ${i}`, { in: 'table' });
    const source = wikiSourceAt(wiki.url);
    const listed: string[] = [];
    for (let cursor: string | null = null; ;) {
      // Each page of the listing by another attempt.
      const listing = await source.open(WIKI, never, OPENED);
      const { items, next } = await listing.list(cursor, never);
      listed.push(...items.map(({ locator }) => locator));
      if (next === null) break;
      cursor = next;
    }
    expect([listed.length, new Set(listed).size]).toEqual([181, 181]);
  });
});

describe('pages that a sync names', () => {
  it('are found by id, at any depth below the root, and nowhere else', async () => {
    const wiki = await hosted();
    const toggle = idOf('toggle');
    wiki.put('home', { blocks: [said('toggle', 'x', { id: toggle }, [paragraph('y')])] });
    wiki.put('deep', { in: toggle });
    wiki.putDatabase('table', { in: 'deep' });
    wiki.put('row', { in: 'table', blocks: [paragraph('words')] });
    wiki.put('foreign', {});
    wiki.put('trashed', { in: 'home' });
    wiki.put('below trashed', { in: 'trashed' });
    wiki.trash('trashed');
    const listing = await wikiSourceAt(wiki.url).open(WIKI, never, OPENED);
    const names = ['home', 'deep', 'row', 'foreign', 'trashed', 'below trashed', 'none'];
    const found = await listing.find!(names.map(idOf), never);
    expect(found.map((item) => item?.locator ?? null)).toEqual([
      ...['home', 'deep', 'row'].map(idOf),
      null,
      null,
      null,
      null,
    ]);
    expect(told(await listing.fetch(found[2]!, never))).toContain('words');
  });
});
