import { setTimeout as sleep } from 'node:timers/promises';
import type { Listing, OpenedFor } from '../../application/sources/ingestion/listed/listed-source.ts';
import { DRIVE, driveSourceAt } from '../../tests/support/drive-provider.ts';
import { REPOSITORY, repositorySourceAt } from '../../tests/support/repository-provider.ts';
import { credentialsOf } from '../../tests/support/given-credential.ts';
import { WIKI, wikiSourceAt } from '../../tests/support/wiki-provider.ts';

/** A stand-in that runs, and where else it can be reached: its archives, its token endpoint. */
export interface Host {
  readonly url: string;
  readonly other: string;
}

export interface KindOfSource {
  readonly name: string;
  readonly path: string;
  /** Variables by which the program asks the stand-in. */
  readonly env: (host: Host) => Readonly<Record<string, string>>;
  /** To create a data source with; `secret_id` is added where there is a secret. */
  readonly body: object;
  readonly secret?: object;
  /** The client alone: what lists and fetches, and nothing behind it. */
  readonly bare: (host: Host, of: OpenedFor) => Promise<Listing>;
}

const never = new AbortController().signal;

/** The most that may be set, of us and of the bare loop alike. */
const WIKI_REQUESTS_PER_SECOND = 1_000;

/** A kind joins by a line here and one in `stand-in.mjs`. */
export const KINDS: readonly KindOfSource[] = [
  {
    name: 'drive',
    path: '/cloud-drives',
    env: ({ url, other }) => ({ KNOWLEDGER_DRIVE_API_URL: url, KNOWLEDGER_DRIVE_TOKEN_URL: other }),
    body: { folder_url: DRIVE.folderUrl },
    secret: { name: 'drive', type: 'token', value: 'a-token' },
    bare: ({ url }, of) => driveSourceAt(url).open(DRIVE, never, of),
  },
  {
    name: 'repository',
    path: '/repos',
    env: ({ url, other }) => ({
      KNOWLEDGER_REPOSITORY_API_URL: url,
      KNOWLEDGER_ALLOW_ADDRESSES: new URL(other).host,
    }),
    body: { repository: REPOSITORY.repository },
    bare: ({ url }, of) => repositorySourceAt(url).open(REPOSITORY, never, of),
  },
  {
    name: 'wiki',
    path: '/wikis',
    env: ({ url }) => ({
      KNOWLEDGER_WIKI_API_URL: url,
      KNOWLEDGER_WIKI_REQUESTS_PER_SECOND: String(WIKI_REQUESTS_PER_SECOND),
    }),
    body: { page_id: WIKI.pageId },
    secret: { name: 'wiki', type: 'token', value: 'a-token' },
    bare: ({ url }, of) =>
      wikiSourceAt(url, {
        credentials: credentialsOf({ type: 'token', token: 'a-token' }),
        requestsPerSecond: WIKI_REQUESTS_PER_SECOND,
        sleep: (ms) => sleep(ms),
      }).open(WIKI, never, of),
  },
];
