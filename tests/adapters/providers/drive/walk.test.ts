import { describe, expect, it } from 'vitest';
import type { ListingPage } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import { driveSourceAt, DRIVE, folderUrlOf, ROOT } from '../../../support/drive-provider.ts';
import { refuse } from '../../../support/drive-host/drive-host.ts';
import { OPENED, never, toldAll } from '../listed.ts';
import { hosted, idsOf, paths, readAll } from './read-all.ts';

describe('a walk', () => {
  it('reads the files of the folder and of all folders in it, whatever drive it is in', async () => {
    for (const driveId of [undefined, 'shared-drive-1']) {
      const host = await hosted();
      const root = host.folder('another-root-folder', null, { driveId });
      host.put('file-at-the-top', root, 'one');
      host.folder('folder-in-it-1', root);
      host.folder('folder-in-it-2', 'folder-in-it-1');
      host.put('file-far-below', 'folder-in-it-2', 'two');
      host.put('file-elsewhere', ROOT, 'not in it');
      const read = await readAll(driveSourceAt(host.url), {}, { folderUrl: folderUrlOf(root) });
      expect(toldAll(read)).toEqual({ 'file-at-the-top': 'one', 'file-far-below': 'two' });
    }
  });

  it('reads ten thousand files of a hundred folders, a place in which is written down at most every thousand', async () => {
    const host = await hosted();
    for (let folder = 0; folder < 100; folder += 1) {
      host.folder(`folder-number-${folder}`, ROOT);
      for (let i = 0; i < 100; i += 1)
        host.put(`file-${folder}-number-${i}`, `folder-number-${folder}`, 'text');
    }
    const source = driveSourceAt(host.url);
    const listing = await source.open(DRIVE, never, OPENED);
    const known = new Map<string, string>();
    const pages: number[] = [];
    for (let cursor: string | null = null; ;) {
      const { items, next }: ListingPage = await listing.list(cursor, never);
      pages.push(items.length);
      for (const { locator, fingerprint } of items) known.set(locator, fingerprint);
      if (next === null) break;
      cursor = next;
    }
    expect([known.size, host.asked.length]).toEqual([10_000, 2 + 101]);
    expect(Math.max(...pages)).toBe(1_000);
    host.asked.length = 0;
    const again = await readAll(source, { known, syncToken: listing.syncToken!() });
    expect([again.known.size, again.fetched.size, paths(host)]).toEqual([10_000, 0, ['/changes']]);
  });

  it('leaves out what is in the trash, itself or by its folder', async () => {
    const host = await hosted();
    host.put('file-that-stays', ROOT, 'one');
    host.put('file-in-the-trash', ROOT, 'two');
    host.folder('folder-in-the-trash', ROOT);
    host.put('file-below-the-trash', 'folder-in-the-trash', 'three');
    host.trash('file-in-the-trash');
    host.trash('folder-in-the-trash');
    expect(idsOf(await readAll(driveSourceAt(host.url)))).toEqual(['file-that-stays']);
  });

  it('follows shortcuts, each folder and file once, however they lead in circles', async () => {
    const host = await hosted();
    host.folder('folder-elsewhere', null);
    host.put('file-elsewhere-1', 'folder-elsewhere', 'one');
    host.put('file-elsewhere-2', 'folder-elsewhere', 'two');
    host.shortcut('shortcut-before-it', ROOT, 'folder-linked-before');
    host.folder('folder-linked-before', ROOT);
    host.folder('folder-inside', ROOT);
    host.put('file-inside-it', 'folder-inside', 'three');
    host.shortcut('shortcut-up', 'folder-inside', ROOT);
    host.shortcut('shortcut-to-itself', 'folder-inside', 'folder-inside');
    host.shortcut('shortcut-away', 'folder-inside', 'folder-elsewhere');
    host.shortcut('shortcut-back', 'folder-elsewhere', 'folder-inside');
    host.shortcut('shortcut-to-a-file', ROOT, 'file-elsewhere-1');
    const read = await readAll(driveSourceAt(host.url));
    expect(toldAll(read)).toEqual({
      'file-elsewhere-1': 'one',
      'file-elsewhere-2': 'two',
      'file-inside-it': 'three',
    });
    expect(host.asked.filter(({ path }) => path === '/files')).toHaveLength(4);
  });

  it('lists a shortcut that leads nowhere as left out', async () => {
    const host = await hosted();
    host.put('file-of-others', ROOT, 'one');
    host.shortcut('shortcut-to-a-secret', ROOT, 'file-never-shared');
    host.put('file-thrown-away', ROOT, 'two');
    host.shortcut('shortcut-to-trash', ROOT, 'file-thrown-away');
    host.trash('file-thrown-away');
    expect(toldAll(await readAll(driveSourceAt(host.url)))).toEqual({
      'file-of-others': 'one',
      'shortcut-to-a-secret': 'broken_shortcut',
      'shortcut-to-trash': 'broken_shortcut',
    });
  });

  it('sends the keys that files shared by link ask for, each about its own file', async () => {
    const host = await hosted();
    const root = host.folder('old-shared-folder', null, { resourceKey: '0-root' });
    host.put('file-with-a-key', root, 'one', { resourceKey: '0-file' });
    host.folder('folder-linked-to', null, { resourceKey: '0-linked' });
    host.put('file-linked-to', 'folder-linked-to', 'two');
    host.shortcut('shortcut-with-a-key', root, 'folder-linked-to', '0-linked');
    const source = driveSourceAt(host.url);
    const url = folderUrlOf(root);
    await expect(readAll(source, {}, { folderUrl: url })).rejects.toMatchObject({ code: 'not_found' });
    const read = await readAll(source, {}, { folderUrl: `${url}?resourcekey=0-root` });
    expect(toldAll(read)).toEqual({ 'file-with-a-key': 'one', 'file-linked-to': 'two' });
    const sent = host.asked.map(({ resourceKeys }) => resourceKeys);
    expect(sent).toContain(`${root}/0-root`);
    expect(sent.some((keys) => keys?.includes(','))).toBe(false);
  });

  it('passes over a folder that is not shared any more, but not over the root', async () => {
    const host = await hosted();
    host.put('file-that-stays', ROOT, 'one');
    host.folder('folder-soon-hidden', ROOT);
    host.put('file-soon-hidden', 'folder-soon-hidden', 'two');
    host.hook = (_, { query }) => {
      if (query.get('q')?.includes(ROOT) === true) host.change('folder-soon-hidden', { trashed: false });
      if (query.get('q')?.includes('folder-soon-hidden') === true) host.hide('folder-soon-hidden');
      return false;
    };
    expect(idsOf(await readAll(driveSourceAt(host.url)))).toEqual(['file-that-stays']);
    host.hook = (_, { path }) => {
      if (path === '/files') host.hide(ROOT);
      return false;
    };
    await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({ code: 'not_found' });
    host.hook = () => false;
    await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({
      name: 'SourceRefused',
      title: 'Not found at the provider',
      message: expect.stringContaining('share it with that account'),
    });
  });

  it('fails on a page that says that it is not whole, so that nothing of the rest counts as deleted', async () => {
    const host = await hosted();
    host.put('file-that-stays', ROOT, 'one');
    host.incompleteSearch = true;
    await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({ name: 'SourceUnavailable' });
  });

  it('goes on where it was broken off, with the token of changes that it began with', async () => {
    const host = await hosted();
    for (let i = 0; i < 120; i += 1) {
      host.folder(`folder-number-${i}`, ROOT);
      host.put(`file-number-${i}`, `folder-number-${i}`, `text ${i}`);
    }
    const source = driveSourceAt(host.url);
    const first = await (await source.open(DRIVE, never, OPENED)).list(null, never);
    expect([first.items.length, first.next]).toEqual([49, expect.any(String)]);
    host.put('file-number-3', 'folder-number-3', 'changed meanwhile');
    const listing = await source.open(DRIVE, never, OPENED);
    const known = new Map(first.items.map(({ locator, fingerprint }) => [locator, fingerprint]));
    for (let cursor = first.next; cursor !== null;) {
      const { items, next } = await listing.list(cursor, never);
      for (const { locator, fingerprint } of items) known.set(locator, fingerprint);
      cursor = next;
    }
    expect(known.size).toBe(120);
    expect(host.asked.filter(({ path }) => path === '/changes/startPageToken')).toHaveLength(1);
    const next = await readAll(source, { known, syncToken: listing.syncToken!() });
    expect([next.byChanges, toldAll(next)]).toEqual([true, { 'file-number-3': 'changed meanwhile' }]);
  });

  it('begins with the token of changes of each shared drive, also of one that it comes upon by a shortcut', async () => {
    const host = await hosted();
    host.folder('root-of-a-drive', null, { driveId: 'shared-drive-2' });
    host.put('file-in-the-drive', 'root-of-a-drive', 'one');
    host.shortcut('shortcut-to-a-drive', ROOT, 'root-of-a-drive');
    host.folder('root-of-a-third', null, { driveId: 'shared-drive-3' });
    host.put('file-in-the-third', 'root-of-a-third', 'three');
    host.shortcut('shortcut-to-a-file', ROOT, 'file-in-the-third');
    const source = driveSourceAt(host.url);
    const before = await readAll(source);
    expect(idsOf(before)).toEqual(['file-in-the-drive', 'file-in-the-third']);
    const tokens = host.asked.filter(({ path }) => path === '/changes/startPageToken');
    expect(tokens.map(({ query }) => query.get('driveId'))).toEqual([
      null,
      'shared-drive-2',
      'shared-drive-3',
    ]);
    host.put('file-in-the-drive', 'root-of-a-drive', 'two');
    host.put('file-in-the-third', 'root-of-a-third', 'four');
    const after = await readAll(source, before);
    expect([after.byChanges, toldAll(after)]).toEqual([
      true,
      { 'file-in-the-drive': 'two', 'file-in-the-third': 'four' },
    ]);
  });

  it('lists a folder again where that shows a drive whose changes were not asked for yet', async () => {
    const host = await hosted();
    const more = { driveId: 'shared-drive-4' };
    host.put('file-of-the-drive', ROOT, 'one', more);
    host.hook = (_, { path, query }) => {
      if (path === '/changes/startPageToken' && query.has('driveId'))
        host.put('file-come-meanwhile', ROOT, 'two', more);
      return false;
    };
    const read = await readAll(driveSourceAt(host.url));
    expect(idsOf(read)).toEqual(['file-come-meanwhile', 'file-of-the-drive']);
  });

  it('is made each time where changes are not told', async () => {
    const host = await hosted();
    host.put('file-that-stays', ROOT, 'one');
    host.hook = (response, { path }) => {
      if (path !== '/changes/startPageToken') return false;
      refuse(response, 403, 'insufficientFilePermissions', 'not for you');
      return true;
    };
    const source = driveSourceAt(host.url);
    const before = await readAll(source);
    expect([before.syncToken, (await readAll(source, before)).byChanges]).toEqual(['', false]);
  });
});

describe('files that a sync names', () => {
  const find = async (
    host: Awaited<ReturnType<typeof hosted>>,
    syncToken: string | null,
    ids: readonly string[],
  ) => {
    const listing = await driveSourceAt(host.url).open(DRIVE, never, { ...OPENED, syncToken });
    return (await listing.find!(ids, never)).map((item) => item?.locator ?? null);
  };

  it('are found in the folder, below it, behind shortcuts, and in folders that came since', async () => {
    const host = await hosted();
    host.folder('folder-elsewhere', null);
    host.put('file-elsewhere', 'folder-elsewhere', 'one');
    host.put('file-elsewhere-alone', 'folder-elsewhere', 'two');
    host.folder('folder-linked-to', null);
    host.put('file-linked-to', 'folder-linked-to', 'three');
    host.shortcut('shortcut-to-a-file', ROOT, 'file-elsewhere');
    host.shortcut('shortcut-to-a-folder', ROOT, 'folder-linked-to');
    host.put('file-at-the-top', ROOT, 'four');
    const { syncToken } = await readAll(driveSourceAt(host.url));
    host.folder('folder-come-since', ROOT);
    host.folder('folder-below-it', 'folder-come-since');
    host.put('file-come-since', 'folder-below-it', 'five');
    host.put('file-beside-it', 'folder-below-it', 'five');
    host.put('file-gone-since', ROOT, 'six');
    host.trash('file-gone-since');
    const there = ['file-elsewhere', 'file-linked-to', 'file-at-the-top', 'file-come-since'];
    const others = [
      'file-elsewhere-alone',
      'file-gone-since',
      'file-nobody-has',
      'folder-come-since',
      'shortcut-to-a-file',
    ];
    const expected = [...there, ...others.map(() => null)];
    expect(await find(host, syncToken, [...there, ...others])).toEqual(expected);
    expect(await find(host, null, [...there, ...others])).toEqual(expected);
    host.asked.length = 0;
    await find(host, syncToken, ['file-come-since', 'file-beside-it']);
    expect(paths(host)).toEqual(
      ['file-come-since', 'folder-below-it', 'folder-come-since', 'file-beside-it'].map(
        (id) => `/files/${id}`,
      ),
    );
  });
});
