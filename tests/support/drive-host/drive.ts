import { DOCUMENT, FOLDER, type Item, SHORTCUT } from './items.ts';

interface Logged {
  readonly id: string;
  readonly driveId: string | undefined;
  readonly removed: boolean;
}

/** What the account that asks sees: its own files, those that are shared with it, and shared drives. */
export interface Drive {
  readonly items: ReadonlyMap<string, Item>;
  readonly changes: readonly Logged[];
  readonly sharedDrives: Set<string>;
  readonly folder: (id: string, parent: string | null, more?: Partial<Item>) => string;
  /** The same bytes under the same name are no change of them, but a new version. */
  readonly put: (id: string, parent: string, body: string | Buffer, more?: Partial<Item>) => string;
  readonly native: (id: string, parent: string, exports: Item['exports'], more?: Partial<Item>) => string;
  readonly shortcut: (id: string, parent: string, target: string, resourceKey?: string) => string;
  readonly change: (id: string, more: Partial<Item>) => void;
  /** To another folder, and into the shared drive that it is in. No date changes. */
  readonly move: (id: string, parent: string) => void;
  readonly trash: (id: string) => void;
  readonly restore: (id: string) => void;
  /** For good. */
  readonly remove: (id: string) => void;
  /** The account may not see it any more, nor what is in it. */
  readonly hide: (id: string) => void;
  readonly isTrashed: (item: Item) => boolean;
}

const CREATED = '2020-01-01T00:00:00.000Z';

export const createDrive = (): Drive => {
  const items = new Map<string, Item>();
  const changes: Logged[] = [];
  let version = 0;
  const log = ({ id, driveId }: Item, removed = false): void => void changes.push({ id, driveId, removed });
  const isTrashed = (item: Item): boolean => {
    const parent = item.parent === null ? undefined : items.get(item.parent);
    return item.trashed || (parent !== undefined && isTrashed(parent));
  };
  const place = (id: string, parent: string | null, more: Partial<Item>): string => {
    const before = items.get(id);
    const driveId = parent === null ? undefined : items.get(parent)?.driveId;
    const item: Item = {
      name: id,
      mimeType: 'text/html',
      modifiedTime: before?.modifiedTime ?? CREATED,
      ...(driveId !== undefined && { driveId }),
      trashed: false,
      ...more,
      id,
      parent,
      version: (version += 1),
    };
    items.set(id, item);
    if (item.driveId !== undefined) sharedDrives.add(item.driveId);
    log(item);
    return id;
  };
  const change = (id: string, more: Partial<Item>): void => {
    const item = items.get(id)!;
    Object.assign(item, more, { version: (version += 1) });
    log(item);
  };
  const below = (id: string): readonly Item[] =>
    [...items.values()].filter(({ parent }) => parent === id).flatMap((item) => [item, ...below(item.id)]);
  const sharedDrives = new Set<string>();

  return {
    items,
    changes,
    sharedDrives,
    folder: (id, parent, more = {}) => place(id, parent, { mimeType: FOLDER, ...more }),
    put: (id, parent, body, more = {}) => place(id, parent, { bytes: Buffer.from(body), ...more }),
    native: (id, parent, exports = {}, more = {}) =>
      place(id, parent, { mimeType: DOCUMENT, exports, ...more }),
    shortcut: (id, parent, target, resourceKey) => {
      const mimeType = items.get(target)?.mimeType ?? 'text/html';
      const to = { id: target, mimeType, ...(resourceKey !== undefined && { resourceKey }) };
      return place(id, parent, { mimeType: SHORTCUT, target: to });
    },
    change,
    move: (id, parent) => {
      const item = items.get(id)!;
      const driveId = items.get(parent)?.driveId;
      // It has left the one drive, and come into the other.
      if (item.driveId !== driveId) log(item, true);
      for (const each of below(id)) Object.assign(each, { driveId });
      change(id, { parent, driveId });
    },
    trash: (id) => change(id, { trashed: true }),
    restore: (id) => change(id, { trashed: false }),
    remove: (id) => {
      const item = items.get(id);
      if (item === undefined) return;
      for (const each of [item, ...below(id)]) items.delete(each.id);
      log(item, true);
    },
    hide: (id) => {
      const item = items.get(id)!;
      for (const each of [item, ...below(id)]) Object.assign(each, { hidden: true });
      log(item, true);
    },
    isTrashed,
  };
};
