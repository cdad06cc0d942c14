import type { ImmutableCloudDriveParameter, CloudDriveParameters } from './cloud-drive.ts';
import type { ImmutableCrawlParameter, CrawlParameters } from './crawl.ts';
import type { ImmutableLocalFileGroupParameter, LocalFileGroupParameters } from './local-file-group.ts';
import type { ImmutablePushParameter, PushParameters } from './push.ts';
import type { ImmutableRepoParameter, RepoParameters } from './repo.ts';
import type { ImmutableWikiParameter, WikiParameters } from './wiki.ts';

/** The parameters of a data source's jobs; `kind` is the kind of data source. */
export type Parameters =
  | CloudDriveParameters
  | CrawlParameters
  | LocalFileGroupParameters
  | PushParameters
  | RepoParameters
  | WikiParameters;
export type ParametersKind = Parameters['kind'];
export type ParametersOf<K extends ParametersKind> = Extract<Parameters, { readonly kind: K }>;

/** The parameters that cannot be changed, by kind. */
interface ImmutableParameters extends Record<ParametersKind, string> {
  readonly cloud_drive: ImmutableCloudDriveParameter;
  readonly crawl: ImmutableCrawlParameter;
  readonly local_file_group: ImmutableLocalFileGroupParameter;
  readonly push: ImmutablePushParameter;
  readonly repo: ImmutableRepoParameter;
  readonly wiki: ImmutableWikiParameter;
}

/** The parameters that can be changed between two jobs. */
export type ChangeableParameters<K extends ParametersKind = ParametersKind> = K extends ParametersKind
  ? Omit<ParametersOf<K>, 'kind' | ImmutableParameters[K]>
  : never;

/** A partial change; absent parameters keep their values. */
export type ParameterChange<K extends ParametersKind = ParametersKind> = K extends ParametersKind
  ? Partial<ChangeableParameters<K>>
  : never;

/** Applies a change. The caller ensures that both are of the same kind. */
export const changedParameters = <P extends Parameters>(before: P, change: ParameterChange): P => ({
  ...before,
  ...(change as Partial<P>),
});

/** The order of lists matters: patterns are tried one after the other. */
export const sameParameters = (a: Parameters, b: Parameters): boolean =>
  Object.keys(a).every((key) => isSame(a, b, key));

/** Whether both have the same value for the key, or neither has one. */
export const isSame = (a: Parameters, b: Parameters, key: string): boolean =>
  JSON.stringify(valueOf(a, key)) === JSON.stringify(valueOf(b, key));

const valueOf = (parameters: Parameters, key: string): unknown =>
  Object.entries(parameters).find(([name]) => name === key)?.[1];

/** The secret for the provider; null for none. */
export const secretOf = (parameters: Parameters): string | null => {
  const { secretId } = parameters as { readonly secretId?: string | null };
  return secretId ?? null;
};
