import { describe, expect, it } from 'vitest';
import {
  type Connectors,
  forgetDataSource,
  forgetDocument,
} from '../../../../application/sources/ingestion/connector.ts';
import { INGESTION_ERASURE, INGESTION_JOB } from '../../../../application/sources/ingestion/kinds-of-work.ts';
import { INGESTION_PURGE, PUSH_WRITE } from '../../../../application/sources/ingestion/kinds-of-work.ts';

/** Two kinds, of which one keeps files by itself. */
const setUp = () => {
  const told: unknown[] = [];
  const connectorFor = (kind: string) => ({
    kind,
    forgetDocument: async (...of: readonly unknown[]) => void told.push([kind, ...of]),
    forget: async (id: string) => void told.push([kind, id]),
  });
  const keeps = async (...of: readonly unknown[]) => {
    told.push(['keeps', ...of]);
    return new Set(['a', 'b']);
  };
  const crawl = connectorFor('crawl');
  const connectors = { crawl, repo: { ...connectorFor('repo'), keeps } } as unknown as Connectors;
  return { connectors, crawl, told };
};

describe('the connectors of a service', () => {
  it('all forget a data source, and a document, of whichever kind it is', async () => {
    const { connectors, told } = setUp();
    const generation = { dataSourceId: 'd', generation: 2 };
    await forgetDocument(connectors, generation, 's');
    await forgetDataSource(connectors, 'd');
    expect(told).toEqual([
      ['crawl', generation, 's'],
      ['repo', generation, 's'],
      ['crawl', 'd'],
      ['repo', 'd'],
    ]);
  });

  it('owe work under names that leases are stored with, which never change', () => {
    const names = [INGESTION_JOB, INGESTION_PURGE, PUSH_WRITE, INGESTION_ERASURE];
    expect(names).toEqual(['ingestion_job', 'ingestion_purge', 'push_write', 'ingestion_erasure']);
  });
});
