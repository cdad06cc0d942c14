export const REFERENCE_TYPES = ['default', 'branch', 'tag', 'commit'] as const;
export type ReferenceType = (typeof REFERENCE_TYPES)[number];

/** Parameters of a source code repository. */
export interface RepoParameters {
  readonly kind: 'repo';
  /** `owner/repo` */
  readonly repository: string;
  /** `default` is the default branch of the host. */
  readonly referenceType: ReferenceType;
  /** Name of the branch or tag, or the hash of the commit; empty for the default branch. */
  readonly referenceParam: string;
  /** Globs on file paths; a leading `!` excludes. */
  readonly pathFilters: readonly string[];
  /** The secret for the host; null for none. */
  readonly secretId: string | null;
}
/** The parameter that cannot be changed, because it identifies the data source. */
export type ImmutableRepoParameter = 'repository';
