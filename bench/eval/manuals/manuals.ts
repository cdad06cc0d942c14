/** A manual in one of Debian's packages, and the questions that it is asked. */
export interface Manual {
  /** Also of its files in `bench/eval/questions`: this, `-typed` and `.names`. */
  readonly name: string;
  readonly package: string;
  /** Of its pages, within the package. */
  readonly folder: string;
  /** Pattern of the paths that are read, within the folder; all unless given. */
  readonly pages?: RegExp;
  /** Anchors that are names. Absent: no markup tells its names. */
  readonly names?: RegExp;
  /** Ends of titles that nobody types, and the pages whose titles count. */
  readonly titles: { readonly end?: RegExp; readonly pages?: RegExp };
}

export const MANUALS: readonly Manual[] = [
  {
    name: 'postgresql',
    package: 'postgresql-doc-15',
    folder: 'usr/share/doc/postgresql-doc-15/html',
    names: /^GUC-/,
    titles: { pages: /^sql-/ },
  },
  {
    name: 'hugin',
    package: 'hugin-data',
    folder: 'usr/share/hugin/xrc/data/help_en_EN',
    pages: /^(?!license)/,
    titles: { end: / - PanoTools\.org Wiki$/ },
  },
  {
    name: 'slurm',
    package: 'slurm-wlm-doc',
    folder: 'usr/share/doc/slurm-wlm/html',
    titles: { end: /^\s*Slurm Workload Manager -\s*/ },
  },
];
