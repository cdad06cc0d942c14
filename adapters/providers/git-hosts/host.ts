/** What hosts differ in. Paths are relative to that of the repository. */
export interface HostFlavour {
  /** Answers the hash of the commit alone, or JSON that holds it. */
  readonly commitPath: (ref: string) => string;
  readonly archivePath: (commit: string) => string;
  /** Where people read a file, behind the address of the repository. */
  readonly webPath: (commit: string) => string;
  /** Trees come in pages. */
  readonly pagesTrees: boolean;
  /** The commit of the default branch can be asked for as HEAD. */
  readonly knowsHead: boolean;
}

/** GitHub, and GitHub Enterprise Server (`/api/v3`). */
const GITHUB: HostFlavour = {
  commitPath: (ref) => `commits/${ref}`,
  archivePath: (commit) => `tarball/${commit}`,
  webPath: (commit) => `blob/${commit}`,
  pagesTrees: false,
  knowsHead: true,
};
/** Gitea and Forgejo (`/api/v1`). */
const GITEA: HostFlavour = {
  commitPath: (ref) => `git/commits/${ref}`,
  archivePath: (commit) => `archive/${commit}.tar.gz`,
  webPath: (commit) => `src/commit/${commit}`,
  pagesTrees: true,
  knowsHead: false,
};

export interface Host {
  /** Of its API, with a slash at the end. */
  readonly base: URL;
  /** Where people read it, with a slash at the end. */
  readonly web: URL;
  readonly flavour: HostFlavour;
}

/** @param apiUrl as the operator gives it: `https://api.github.com`, `https://HOST/api/v3`, `https://HOST/api/v1` */
export const hostAt = (apiUrl: string): Host => {
  const base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  const web = new URL('/', base);
  if (base.pathname === '/') web.hostname = base.hostname.replace(/^api\./, '');
  else web.pathname = base.pathname.replace(/api\/v\d+\/$/, '');
  return { base, web, flavour: base.pathname.endsWith('/api/v1/') ? GITEA : GITHUB };
};

/** Each segment encoded: names of branches and paths of files hold slashes. */
export const encodedPath = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');
