import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { ConnectionTest, Connector, ConnectorOutcome } from '../connector.ts';
import { CredentialsUnavailable, CredentialsRefused } from '../../../ports/secrets.ts';
import { SourceUnavailable, SourceRefused, type ListedSource } from './listed-source.ts';
import type { ListedDeps } from './listed-run.ts';
import { runListed } from './run-listed.ts';

/**
 * A connector for a provider that lists its items. Everything except listing and fetching is the same for all such
 * providers.
 */
export const createListedConnector = <P extends Parameters>(
  deps: ListedDeps,
  source: ListedSource<P>,
): Connector<P> => ({
  ...source,
  test: (parameters, tenant, signal) => firstPage(source, parameters, tenant, signal).catch(outcomeOfError),
  run: (ingestion, signal) => runListed(deps, source, ingestion, signal).catch(outcomeOfError),
  errors: deps.itemStore.errors,
  forgetDocument: deps.itemStore.forgetDocument,
  forget: deps.itemStore.purge,
});

/** The first page as a first job would list it. */
const firstPage = async <P extends Parameters>(
  source: ListedSource<P>,
  parameters: P,
  tenant: string,
  signal: AbortSignal,
): Promise<ConnectionTest> => {
  const knowsNothing = { dataSourceId: '', syncToken: null, readAll: false, known: async () => new Map() };
  const listing = await source.open(parameters, signal, { tenant, ...knowsNothing });
  try {
    const { items, next } = await listing.list(null, signal);
    const [first] = items;
    return {
      kind: 'reached',
      items: items.length,
      more: next !== null,
      firstItem: first?.locator ?? null,
    };
  } finally {
    await listing.close?.();
  }
};

const outcomeOfError = (error: unknown): Exclude<ConnectorOutcome, { readonly kind: 'completed' }> => {
  const { message } = error as Error;
  if (error instanceof SourceRefused)
    return { kind: 'failed', code: error.code, error: { title: error.title, message } };
  if (error instanceof CredentialsRefused)
    return {
      kind: 'failed',
      code: 'credentials_rejected',
      error: { title: 'Credentials rejected', message },
    };
  if (error instanceof SourceUnavailable || error instanceof CredentialsUnavailable) {
    const notBefore = error instanceof SourceUnavailable ? error.notBefore : undefined;
    const away = { kind: 'transient', error: { title: 'Provider not reachable', message } } as const;
    return notBefore === undefined ? away : { ...away, notBefore };
  }
  throw error;
};
