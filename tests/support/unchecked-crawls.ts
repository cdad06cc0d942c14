import type { Connector, Connectors } from '../../application/sources/ingestion/connector.ts';
import type { CrawlParameters } from '../../domain/ingestion-setting/index.ts';

const unasked = async (): Promise<never> => {
  throw new Error('nobody works on these jobs');
};

/** For tests of what comes before a job: crawls whose parameters are taken as they are, and that nobody does. */
export const uncheckedCrawls: Connectors = {
  crawl: {
    kind: 'crawl',
    sourceType: 'crawl',
    contentParameters: [],
    check: () => {},
    subjectOf: ({ startUrl }) => ({ kind: 'crawl', startUrl }),
    run: unasked,
    errors: unasked,
    forgetDocument: async () => {},
    forget: async () => {},
  } satisfies Connector<CrawlParameters>,
};
