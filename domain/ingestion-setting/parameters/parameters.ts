import type { CloudDriveFixed, CloudDriveParameters } from './cloud-drive.ts';
import type { CrawlFixed, CrawlParameters } from './crawl.ts';
import type { LocalFileGroupFixed, LocalFileGroupParameters } from './local-file-group.ts';
import type { PushFixed, PushParameters } from './push.ts';
import type { RepoFixed, RepoParameters } from './repo.ts';
import type { WikiFixed, WikiParameters } from './wiki.ts';

/** What the jobs of one data source go by; `kind` says which. */
export type Parameters =
  | CloudDriveParameters
  | CrawlParameters
  | LocalFileGroupParameters
  | PushParameters
  | RepoParameters
  | WikiParameters;
export type ParametersKind = Parameters['kind'];
export type ParametersOf<K extends ParametersKind> = Extract<Parameters, { readonly kind: K }>;

/** Parameters that are fixed at the creation, by kind. */
interface Fixed extends Record<ParametersKind, string> {
  readonly cloud_drive: CloudDriveFixed;
  readonly crawl: CrawlFixed;
  readonly local_file_group: LocalFileGroupFixed;
  readonly push: PushFixed;
  readonly repo: RepoFixed;
  readonly wiki: WikiFixed;
}

/** What may change between two jobs. */
export type ChangeableParameters<K extends ParametersKind = ParametersKind> = K extends ParametersKind
  ? Omit<ParametersOf<K>, 'kind' | Fixed[K]>
  : never;

/** Some of them; those that are absent stay as they are. */
export type ParameterChange<K extends ParametersKind = ParametersKind> = K extends ParametersKind
  ? Partial<ChangeableParameters<K>>
  : never;

/** With what a change says in its place. Both are of one kind, which whoever changes them has looked at. */
export const changedParameters = <P extends Parameters>(before: P, change: ParameterChange): P => ({
  ...before,
  ...(change as Partial<P>),
});

/** Lists count in their order: patterns are tried one after the other. */
export const sameParameters = (a: Parameters, b: Parameters): boolean =>
  Object.keys(a).every((key) => isSame(a, b, key));

/** Whether these name the same value, both having it or neither. */
export const isSame = (a: Parameters, b: Parameters, key: string): boolean =>
  JSON.stringify(valueOf(a, key)) === JSON.stringify(valueOf(b, key));

const valueOf = (parameters: Parameters, key: string): unknown =>
  Object.entries(parameters).find(([name]) => name === key)?.[1];

/** The secret that the provider is asked with; null: none. */
export const secretOf = (parameters: Parameters): string | null => {
  const { secretId } = parameters as { readonly secretId?: string | null };
  return secretId ?? null;
};
