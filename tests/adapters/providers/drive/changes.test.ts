import { describe, expect, it } from 'vitest';
import { driveSourceAt, DRIVE, ROOT } from '../../../support/drive-provider.ts';
import type { DriveHost } from '../../../support/drive-host/drive-host.ts';
import { OPENED, never, toldAll } from '../listed.ts';
import { hosted, idsOf, paths, type Read, readAll } from './read-all.ts';

const DAY = 24 * 3_600_000;

/** A tree that was read once: two files at the top, one in a folder, and a folder beside the tree. */
const readOnce = async (): Promise<{ readonly host: DriveHost; readonly before: Read }> => {
  const host = await hosted();
  host.put('file-one-at-top', ROOT, 'one');
  host.put('file-two-at-top', ROOT, 'two');
  host.folder('folder-inside', ROOT);
  host.put('file-three-inside', 'folder-inside', 'three');
  host.folder('folder-outside', null);
  host.put('file-four-outside', 'folder-outside', 'four');
  const before = await readAll(driveSourceAt(host.url));
  host.asked.length = 0;
  return { host, before };
};
const ALL = ['file-one-at-top', 'file-three-inside', 'file-two-at-top'];

describe('what has changed in a drive', () => {
  it('is asked for once where nothing has, and leaves all as it is', async () => {
    const { host, before } = await readOnce();
    const after = await readAll(driveSourceAt(host.url), before);
    expect([paths(host), idsOf(after), toldAll(after)]).toEqual([['/changes'], ALL, {}]);
  });

  it('is asked for and fetched, and nothing else', async () => {
    const { host, before } = await readOnce();
    host.put('file-two-at-top', ROOT, 'two anew');
    host.put('file-five-is-new', 'folder-inside', 'five');
    host.put('file-four-outside', 'folder-outside', 'of no interest');
    host.remove('file-one-at-top');
    const after = await readAll(driveSourceAt(host.url), before);
    expect(toldAll(after)).toEqual({ 'file-two-at-top': 'two anew', 'file-five-is-new': 'five' });
    expect(idsOf(after)).toEqual(['file-five-is-new', 'file-three-inside', 'file-two-at-top']);
    expect(paths(host)).toEqual(['/changes', '/files/file-two-at-top', '/files/file-five-is-new']);
    const again = await readAll(driveSourceAt(host.url), after);
    expect([again.byChanges, toldAll(again), idsOf(again)]).toEqual([true, {}, idsOf(after)]);
    expect(host.asked.at(-1)?.query.get('pageToken')).toBe(String(host.changes.length));
  });

  it('comes in pages, of which the newest word on a file counts', async () => {
    const { host, before } = await readOnce();
    host.maxPerPage = 2;
    host.put('file-two-at-top', ROOT, 'second');
    host.remove('file-one-at-top');
    host.put('file-one-at-top', ROOT, 'back');
    host.put('file-two-at-top', ROOT, 'third');
    host.trash('file-three-inside');
    const after = await readAll(driveSourceAt(host.url), before);
    expect(toldAll(after)).toEqual({ 'file-one-at-top': 'back', 'file-two-at-top': 'third' });
    expect(idsOf(after)).toEqual(['file-one-at-top', 'file-two-at-top']);
    expect(paths(host).filter((path) => path === '/changes')).toHaveLength(3);
  });

  it('shows a file that is moved in or out, with its date as it was', async () => {
    const { host, before } = await readOnce();
    host.move('file-four-outside', 'folder-inside');
    host.move('file-one-at-top', 'folder-outside');
    host.move('file-two-at-top', 'folder-inside');
    const after = await readAll(driveSourceAt(host.url), before);
    expect([after.byChanges, toldAll(after)]).toEqual([true, { 'file-four-outside': 'four' }]);
    expect(idsOf(after)).toEqual(['file-four-outside', 'file-three-inside', 'file-two-at-top']);
  });

  it('shows a file in the trash as gone, and brings it back when it is restored', async () => {
    const { host, before } = await readOnce();
    host.trash('file-two-at-top');
    const without = await readAll(driveSourceAt(host.url), before);
    expect(idsOf(without)).toEqual(['file-one-at-top', 'file-three-inside']);
    host.restore('file-two-at-top');
    const again = await readAll(driveSourceAt(host.url), without);
    expect([again.byChanges, idsOf(again)]).toEqual([true, ALL]);
  });

  it('shows a folder that is moved in with all that is in it, though no word is said of that', async () => {
    const { host, before } = await readOnce();
    host.folder('folder-below-outside', 'folder-outside');
    host.put('file-six-outside', 'folder-below-outside', 'six');
    const meanwhile = await readAll(driveSourceAt(host.url), before);
    expect(idsOf(meanwhile)).toEqual(ALL);
    host.move('folder-outside', 'folder-inside');
    const after = await readAll(driveSourceAt(host.url), meanwhile);
    expect([after.byChanges, toldAll(after)]).toEqual([
      true,
      { 'file-four-outside': 'four', 'file-six-outside': 'six' },
    ]);
    host.put('file-six-outside', 'folder-below-outside', 'six anew');
    const last = await readAll(driveSourceAt(host.url), after);
    expect([last.byChanges, toldAll(last)]).toEqual([true, { 'file-six-outside': 'six anew' }]);
  });

  it.each([
    ['moved out', (host: DriveHost) => host.move('folder-inside', 'folder-outside')],
    ['put into the trash', (host: DriveHost) => host.trash('folder-inside')],
    ['deleted', (host: DriveHost) => host.remove('folder-inside')],
    ['not shared any more', (host: DriveHost) => host.hide('folder-inside')],
  ])('leads to a walk where a folder is %s, and all that was in it is gone', async (_, change) => {
    const { host, before } = await readOnce();
    change(host);
    const after = await readAll(driveSourceAt(host.url), before);
    expect([after.byChanges, idsOf(after), toldAll(after)]).toEqual([
      false,
      ['file-one-at-top', 'file-two-at-top'],
      {},
    ]);
    expect((await readAll(driveSourceAt(host.url), after)).byChanges).toBe(true);
  });

  it('leads to a walk where a shortcut comes or goes', async () => {
    const { host, before } = await readOnce();
    host.shortcut('shortcut-to-outside', ROOT, 'folder-outside');
    const linked = await readAll(driveSourceAt(host.url), before);
    expect([linked.byChanges, toldAll(linked)]).toEqual([false, { 'file-four-outside': 'four' }]);
    host.put('file-four-outside', 'folder-outside', 'four anew');
    const changed = await readAll(driveSourceAt(host.url), linked);
    expect([changed.byChanges, toldAll(changed)]).toEqual([true, { 'file-four-outside': 'four anew' }]);
    host.remove('shortcut-to-outside');
    const unlinked = await readAll(driveSourceAt(host.url), changed);
    expect([unlinked.byChanges, idsOf(unlinked)]).toEqual([false, ALL]);
  });

  it.each(['file-four-outside', 'folder-outside'])(
    'keeps what a shortcut leads to, wherever that is moved: %s',
    async (target) => {
      const { host } = await readOnce();
      host.shortcut('shortcut-to-it', ROOT, target);
      const linked = await readAll(driveSourceAt(host.url));
      host.folder('folder-far-outside', null);
      host.move(target, 'folder-far-outside');
      const moved = await readAll(driveSourceAt(host.url), linked);
      expect([moved.byChanges, idsOf(moved)]).toEqual([true, [...ALL, 'file-four-outside'].toSorted()]);
    },
  );

  it('counts a file as there that a shortcut in a folder come in leads to, though it is outside', async () => {
    const { host } = await readOnce();
    host.folder('folder-to-come-in', null);
    host.shortcut('shortcut-in-it', 'folder-to-come-in', 'file-four-outside');
    const before = await readAll(driveSourceAt(host.url));
    host.put('file-four-outside', 'folder-outside', 'four anew');
    host.move('folder-to-come-in', ROOT);
    const after = await readAll(driveSourceAt(host.url), before);
    expect([after.byChanges, toldAll(after)]).toEqual([true, { 'file-four-outside': 'four anew' }]);
    const last = await readAll(driveSourceAt(host.url), after);
    expect(idsOf(last)).toEqual([...ALL, 'file-four-outside'].toSorted());
  });

  it('is told by each shared drive: a file that moves from one into another is not gone', async () => {
    const { host } = await readOnce();
    host.folder('root-of-a-drive', null, { driveId: 'shared-drive-1' });
    host.put('file-in-the-drive', 'root-of-a-drive', 'seven');
    host.shortcut('shortcut-to-a-drive', ROOT, 'root-of-a-drive');
    const source = driveSourceAt(host.url);
    const before = await readAll(source);
    host.move('file-in-the-drive', ROOT);
    host.move('file-one-at-top', 'root-of-a-drive');
    const after = await readAll(source, before);
    expect([after.byChanges, idsOf(after)]).toEqual([true, [...ALL, 'file-in-the-drive'].toSorted()]);
  });

  it('leads to a walk where the token is too old, the drive is gone or there is too much', async () => {
    const { host, before } = await readOnce();
    host.oldestToken = host.changes.length + 1;
    const old = await readAll(driveSourceAt(host.url), before);
    expect([old.byChanges, idsOf(old)]).toEqual([false, ALL]);
    host.oldestToken = 0;
    host.maxPerPage = 10;
    for (let i = 0; i < 201; i += 1) host.put('file-four-outside', 'folder-outside', `four ${i}`);
    const busy = await readAll(driveSourceAt(host.url), before);
    expect([busy.byChanges, idsOf(busy)]).toEqual([false, ALL]);
  });

  it('is not gone by for another secret, for a sync token of another version, and after a week', async () => {
    const { host, before } = await readOnce();
    const source = driveSourceAt(host.url);
    expect(
      (await readAll(source, before, { secretId: '0199d2a0-0000-7000-8000-000000000002' })).byChanges,
    ).toBe(false);
    expect((await readAll(source, { ...before, syncToken: '{"a":1}' })).byChanges).toBe(false);
    const at = async (days: number) =>
      (await readAll(driveSourceAt(host.url, { now: () => Date.now() + days * DAY }), before)).byChanges;
    expect([await at(6), await at(8)]).toEqual([true, false]);
  });

  it('that comes between two attempts of a job is told to the next job', async () => {
    const { host, before } = await readOnce();
    const source = driveSourceAt(host.url);
    host.put('file-one-at-top', ROOT, 'changed before');
    const opened = { ...OPENED, syncToken: before.syncToken };
    const first = await (await source.open(DRIVE, never, opened)).list(null, never);
    expect(first.items).toEqual([]);
    host.put('file-one-at-top', ROOT, 'changed between');
    const listing = await source.open(DRIVE, never, { ...opened, syncToken: null });
    const second = await listing.list(first.next, never);
    expect(second.items.map(({ locator }) => locator)).toEqual(['file-one-at-top']);
    const next = await readAll(source, { syncToken: listing.syncToken!(), known: before.known });
    expect(toldAll(next)).toEqual({ 'file-one-at-top': 'changed between' });
  });
});
