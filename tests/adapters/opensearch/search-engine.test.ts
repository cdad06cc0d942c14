import { describe } from 'vitest';
import { openSearchHere } from '../../support/opensearch/opensearch.ts';
import { searchIndexContract } from '../contracts/search-index.ts';
import { openEngine } from './opened-engine.ts';

const url = await openSearchHere();

describe.skipIf(url === null)('OpenSearch', () => {
  // Whatever holds for a tenant in several shards holds in one.
  searchIndexContract('OpenSearch', () => openEngine(url!, undefined, { shards: 4, tenantShards: 3 }));
});
