import type { JobStatus, SourceType } from 'knowledger-client';
import { words } from './words.ts';

export interface Kind {
  readonly type: SourceType;
  /** Its records in the API, and its settings. */
  readonly path: '/crawls' | '/repos' | '/cloud-drives' | '/wikis' | '/local-file-groups' | '/pushes';
  readonly settings: '/crawl-settings' | '/repo-settings' | '/cloud-drive-settings' | '/wiki-settings' | null;
  /** The field that says where it is; null: nothing is fetched. */
  readonly place: 'start_url' | 'repository' | 'folder_url' | 'page_id' | null;
  /** Of what creates one, and of what changes its settings, in the OpenAPI document. */
  readonly schema: string | null;
  readonly change: string | null;
}

export const KINDS: readonly Kind[] = [
  {
    type: 'crawl',
    path: '/crawls',
    settings: '/crawl-settings',
    schema: 'CrawlCreate',
    change: 'CrawlSettingChange',
    place: 'start_url',
  },
  { type: 'local_file', path: '/local-file-groups', settings: null, schema: null, change: null, place: null },
  {
    type: 'repo',
    path: '/repos',
    settings: '/repo-settings',
    schema: 'RepoCreate',
    change: 'RepoSettingChange',
    place: 'repository',
  },
  {
    type: 'cloud_drive',
    path: '/cloud-drives',
    settings: '/cloud-drive-settings',
    schema: 'CloudDriveCreate',
    change: 'CloudDriveSettingChange',
    place: 'folder_url',
  },
  {
    type: 'wiki',
    path: '/wikis',
    settings: '/wiki-settings',
    schema: 'WikiCreate',
    change: 'WikiSettingChange',
    place: 'page_id',
  },
  { type: 'push', path: '/pushes', settings: null, schema: 'PushCreate', change: null, place: null },
];

/** A type that an address names wrongly is taken for a crawl, of which the service then says that there is none. */
export const kindOf = (type: SourceType): Kind => KINDS.find((kind) => kind.type === type) ?? KINDS[0]!;

export const STATES = Object.keys(words.status) as readonly JobStatus[];

const ACTIVE: ReadonlySet<string> = new Set([
  'queued',
  'not_started',
  'managed',
  'starting',
  'started',
  'canceling',
]);

/** Whether a job waits or runs. */
export const isActive = (status: string): boolean => ACTIVE.has(status);
