import { crawlParameters } from '../../support/crawl-parameters.ts';
import type { DataSourceKind, DataSourceSubject } from '../../../domain/data-source/index.ts';
import type { Parameters } from '../../../domain/ingestion-setting/index.ts';

interface FakeKind {
  readonly subject: DataSourceSubject;
  readonly parameters: Parameters;
}

/** What data sources of each kind are, in tests over HTTP. */
const FAKES: { readonly [K in DataSourceKind]: FakeKind } = {
  crawl: {
    subject: { kind: 'crawl', startUrl: 'https://docs.example.com/' },
    parameters: crawlParameters({ pathFilters: ['/guide/**'], htmlOnly: true, fileExtensions: ['.html'] }),
  },
  local_file_group: {
    subject: { kind: 'local_file_group', chunkMetadataKeys: [{ key: 'price', type: 'float' }] },
    parameters: { kind: 'local_file_group', chunkMetadataKeys: [{ key: 'price', type: 'float' }] },
  },
  cloud_drive: {
    subject: { kind: 'cloud_drive', folderUrl: 'https://drive.google.com/drive/folders/1AbCdEfGhIjK' },
    parameters: {
      kind: 'cloud_drive',
      folderUrl: 'https://drive.google.com/drive/folders/1AbCdEfGhIjK',
      secretId: null,
    },
  },
  push: { subject: { kind: 'push' }, parameters: { kind: 'push' } },
  repo: {
    subject: {
      kind: 'repo',
      repository: 'acme/docs',
      referenceType: 'branch',
      referenceParam: 'main',
      pathFilters: ['guide/**'],
    },
    parameters: {
      kind: 'repo',
      repository: 'acme/docs',
      referenceType: 'branch',
      referenceParam: 'main',
      pathFilters: ['guide/**'],
      secretId: null,
    },
  },
  wiki: {
    subject: { kind: 'wiki', pageId: '1f0c3a5e-7b9d-4c2a-8e6f-0123456789ab' },
    parameters: {
      kind: 'wiki',
      pageId: '1f0c3a5e-7b9d-4c2a-8e6f-0123456789ab',
      includeChildren: false,
      secretId: null,
    },
  },
};

export const fakeKind = (kind: DataSourceKind): FakeKind => FAKES[kind];
