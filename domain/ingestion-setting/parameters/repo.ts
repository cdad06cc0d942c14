export const REFERENCE_TYPES = ['default', 'branch', 'tag', 'commit'] as const;
export type ReferenceType = (typeof REFERENCE_TYPES)[number];

/** Of a repository of source code. */
export interface RepoParameters {
  readonly kind: 'repo';
  /** `owner/repo` */
  readonly repository: string;
  /** `default`: the branch that the host calls so. */
  readonly referenceType: ReferenceType;
  /** Name of the branch or tag, or the hash of the commit; empty for the default branch. */
  readonly referenceParam: string;
  /** Globs on the paths of files; `!` before one excludes. */
  readonly pathFilters: readonly string[];
  /** The secret that the host is asked with; null: without any. */
  readonly secretId: string | null;
}
/** Everything but the place itself, which makes the data source this one. */
export type RepoFixed = 'repository';
