import { type Draft, idOf } from './blocks.ts';

export interface HostedParent {
  readonly type: 'workspace' | 'page_id' | 'block_id' | 'data_source_id';
  readonly id: string;
}

export interface HostedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A block, a page, a database or a data source. */
export interface Hosted {
  readonly id: string;
  readonly kind: 'page' | 'database' | 'data_source' | 'block';
  readonly type: string;
  readonly content: object;
  readonly file?: HostedFile;
  parent: HostedParent;
  /** Ids, in their order. */
  children: string[];
  title: string;
  properties: object;
  created: number;
  edited: number;
  inTrash: boolean;
}

/** All that is in a wiki, by id. Times are Unix milliseconds. */
export const createWikiContent = (clock: { now: number }) => {
  const all = new Map<string, Hosted>();
  const make = (more: Partial<Hosted> & Pick<Hosted, 'id' | 'kind' | 'type' | 'parent'>): Hosted => {
    const made: Hosted = {
      content: {},
      children: [],
      title: '',
      properties: {},
      created: all.get(more.id)?.created ?? clock.now,
      edited: clock.now,
      inTrash: false,
      ...more,
    };
    all.set(made.id, made);
    return made;
  };
  const below = (parent: HostedParent): string[] => all.get(parent.id)?.children ?? [];
  const attach = (parent: HostedParent, id: string): void => {
    if (!below(parent).includes(id)) below(parent).push(id);
  };
  const detach = (id: string): void => {
    for (const one of all.values()) one.children = one.children.filter((child) => child !== id);
  };
  const draw = (parent: HostedParent, drafts: readonly Draft[]): string[] =>
    drafts.map(({ type, content, children = [], file }, i) => {
      const id = (content as { id?: string }).id ?? idOf(`${parent.id}/${i}/${type}`);
      const drawn = make({ id, kind: 'block', type, content, parent, ...(file !== undefined && { file }) });
      drawn.children = draw({ type: 'block_id', id }, children);
      return id;
    });
  const pagesIn = (id: string): readonly string[] =>
    (all.get(id)?.children ?? []).flatMap((child) =>
      all.get(child)?.kind === 'block' ? pagesIn(child) : [child],
    );
  return {
    all,
    below,
    attach,
    detach,
    /** Writes a page anew; the pages directly below it stay, behind its blocks. */
    putPage: (
      id: string,
      parent: HostedParent,
      title: string,
      drafts: readonly Draft[],
      properties: object,
    ): void => {
      const kept = pagesIn(id);
      const page = make({ id, kind: 'page', type: 'child_page', parent, title, properties });
      page.children = [...draw({ type: 'page_id', id }, drafts), ...kept];
      attach(parent, id);
    },
    putDatabase: (id: string, parent: HostedParent, title: string): void => {
      make({ id, kind: 'database', type: 'child_database', parent, title });
      const source = idOf(`${id}/rows`);
      make({ id: source, kind: 'data_source', type: '', parent: { type: 'block_id', id }, title });
      attach(parent, id);
    },
    rowsIn: (id: string): readonly Hosted[] =>
      below({ type: 'data_source_id', id })
        .map((row) => all.get(row)!)
        .filter(({ inTrash }) => !inTrash)
        .toSorted((a, b) => a.created - b.created),
  };
};
export type WikiContent = ReturnType<typeof createWikiContent>;

/** Rounded down to the minute, as the changelog of the API says of all times of change. */
const minute = (at: number): string => new Date(Math.floor(at / 60_000) * 60_000).toISOString();

const parentJson = ({ type, id }: HostedParent, all: WikiContent['all']): object => {
  if (type === 'workspace') return { type, workspace: true };
  if (type !== 'data_source_id') return { type, [type]: id };
  return { type, data_source_id: id, database_id: all.get(id)?.parent.id };
};

const common = (one: Hosted, all: WikiContent['all']): object => ({
  id: one.id,
  parent: parentJson(one.parent, all),
  created_time: minute(one.created),
  last_edited_time: minute(one.edited),
  in_trash: one.inTrash,
});

const titleRuns = (title: string): readonly object[] =>
  title === '' ? [] : [{ type: 'text', text: { content: title }, plain_text: title, href: null }];

export const pageJson = (one: Hosted, all: WikiContent['all']): object => ({
  object: 'page',
  ...common(one, all),
  url: `https://www.notion.so/${one.title.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${one.id.replaceAll('-', '')}`,
  properties: { Name: { id: 'title', type: 'title', title: titleRuns(one.title) }, ...one.properties },
});

/** A database may stand among rows: its data source does then. */
export const rowJson = (one: Hosted, all: WikiContent['all']): object =>
  one.kind === 'database'
    ? { object: 'data_source', id: idOf(`${one.id}/rows`), parent: parentJson(one.parent, all) }
    : pageJson(one, all);

export const databaseJson = (one: Hosted, all: WikiContent['all']): object => ({
  object: 'database',
  ...common(one, all),
  title: titleRuns(one.title),
  data_sources: [{ id: idOf(`${one.id}/rows`), name: one.title }],
});

/** @param fileUrl signs an address of a file, another one each time */
export const blockJson = (
  one: Hosted,
  all: WikiContent['all'],
  fileUrl: (file: HostedFile, id: string) => string,
): object => {
  const content = one.kind === 'block' ? one.content : { title: one.title };
  const file = one.file && {
    type: 'file',
    file: { url: fileUrl(one.file, one.id), expiry_time: minute(one.edited) },
  };
  return {
    object: 'block',
    ...common(one, all),
    type: one.type,
    has_children: one.kind !== 'database' && one.children.length > 0,
    [one.type]: { ...content, ...file },
  };
};
