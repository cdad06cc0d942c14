/** What a walk found out about the folder that a data source is of, by which changes are judged later. */
export interface Tree {
  readonly root: string;
  /** By the id of each folder, that of the folder that it is in; null for the root, and for what shortcuts lead to. */
  readonly folders: Map<string, string | null>;
  /** What shortcuts lead to, by their ids. */
  readonly shortcuts: Map<string, string>;
  /** Of the folders and of what shortcuts lead to, where they have one. */
  readonly keys: Map<string, string>;
  /**
   * Where changes are asked for from, by the shared drive; of the account's own files and those that are shared with it by
   * an empty name. Null: they are not told.
   */
  readonly tokens: Map<string, string | null>;
}

/** As JSON. */
export interface WrittenTree {
  readonly root: string;
  readonly folders: readonly (readonly [string, string | null])[];
  readonly shortcuts: readonly (readonly [string, string])[];
  readonly keys: readonly (readonly [string, string])[];
  readonly tokens: readonly (readonly [string, string | null])[];
}

export const writtenTree = ({ root, folders, shortcuts, keys, tokens }: Tree): WrittenTree => {
  const targets = new Set(shortcuts.values());
  return {
    root,
    folders: [...folders],
    shortcuts: [...shortcuts],
    keys: [...keys].filter(([id]) => folders.has(id) || targets.has(id)),
    tokens: [...tokens],
  };
};

export const treeOf = ({ root, folders, shortcuts, keys, tokens }: WrittenTree): Tree => ({
  root,
  folders: new Map(folders),
  shortcuts: new Map(shortcuts),
  keys: new Map(keys),
  tokens: new Map(tokens),
});

export const newTree = (root: string, keys: ReadonlyMap<string, string>): Tree => ({
  root,
  folders: new Map([[root, null]]),
  shortcuts: new Map(),
  keys: new Map(keys),
  tokens: new Map(),
});
