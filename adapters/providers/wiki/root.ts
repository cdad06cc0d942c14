import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { RequestRefused } from '../../http-client/provider-response.ts';
import type { WikiDatabase, WikiPage } from './objects.ts';
import type { WikiApi } from './wiki-api.ts';

/** The root of a data source: a page, or a database whose rows are pages. */
export type Root =
  | { readonly kind: 'page'; readonly page: WikiPage }
  | { readonly kind: 'database'; readonly database: WikiDatabase };

/** @throws SourceRefused when it is missing, or not readable */
export const findRoot = async (api: WikiApi, id: string, signal: AbortSignal): Promise<Root> => {
  const root = await askFor(api, id, signal);
  const { inTrash } = root.kind === 'page' ? root.page : root.database;
  if (inTrash)
    throw notFound(`the page ${id} is in the trash of the wiki: restore it, or delete this data source`);
  return root;
};

const askFor = async (api: WikiApi, id: string, signal: AbortSignal): Promise<Root> => {
  try {
    return { kind: 'page', page: await api.page(id, signal) };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
  }
  try {
    return { kind: 'database', database: await api.database(id, signal) };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    throw notFound(
      `the page ${id} is not there, or not shared with the integration: open it, choose "Connections" in its menu, and ` +
        `add the integration whose token the secret holds (${error.status})`,
    );
  }
};

const notFound = (message: string): SourceRefused =>
  new SourceRefused('not_found', 'Not found at the provider', message);
