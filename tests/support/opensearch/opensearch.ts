import { inject } from 'vitest';
import { askBroker } from '../ask-broker.ts';

/**
 * The URL of the OpenSearch that all files of a run share: each uses index names of its own. Null, which the output
 * tells, where none runs: then tests of it are skipped.
 */
export const openSearchHere = async (): Promise<string | null> => {
  const found = await askBroker<{ readonly url: string } | { readonly missing: string }>(
    `${inject('serviceBroker')}/opensearch`,
  );
  if ('url' in found) return found.url;
  console.warn(`skipped: tests with OpenSearch, since it cannot be started here: ${found.missing}`);
  return null;
};
