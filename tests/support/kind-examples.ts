import type { ParametersKind } from '../../domain/ingestion-setting/index.ts';

interface KindExample {
  /** Body of the creation, without a secret. Absent: the kind is created by a form. */
  readonly create?: { readonly name: string; readonly [field: string]: unknown };
  /** Body of a sync. Absent: none. */
  readonly sync?: object;
  /** Body of a change of the setting. */
  readonly change?: object;
}

const PAGE_ID = '1f0c3a5e7b9d4c2a8e6f0123456789ab';

/** What each kind of data source is sent over HTTP. */
export const EXAMPLES: { readonly [Kind in ParametersKind]: KindExample } = {
  crawl: {
    create: {
      name: 'Docs',
      start_url: 'https://docs.example.com/',
      max_depth: 3,
      max_num_files: 100,
    },
    change: { name: 'New', rrule: null },
  },
  repo: {
    create: {
      name: 'Docs',
      repository: 'acme/docs',
      reference_type: 'branch',
      reference_param: 'main',
    },
    sync: { locators: ['README.md'] },
    change: { reference_type: 'default', secret_id: null },
  },
  cloud_drive: {
    create: {
      name: 'Docs',
      folder_url: 'https://drive.google.com/drive/folders/1AbCdEfGhIjK',
    },
    sync: { locators: ['1AbCdEfGhIjK'] },
    change: { name: 'New', secret_id: null },
  },
  wiki: {
    create: { name: 'Handbook', page_id: PAGE_ID, include_children: false },
    sync: { locators: [PAGE_ID] },
    change: { include_children: true, secret_id: null },
  },
  local_file_group: { sync: { locators: ['a.txt'] } },
  push: { create: { name: 'Feed' } },
};
