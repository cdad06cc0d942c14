import type { PushParameters } from '../../../domain/ingestion-setting/index.ts';
import type { Connector } from '../ingestion/connector.ts';
import type { ItemStore } from '../../ports/item-store.ts';

/** Documents that an external process pushes, each under its own name. This service does not search for documents. */
export const createPushConnector = (
  itemStore: Pick<ItemStore, 'errors' | 'forgetDocument' | 'purge'>,
): Connector<PushParameters> => ({
  kind: 'push',
  sourceType: 'push',
  external: true,
  contentParameters: [],
  check: () => {},
  subjectOf: () => ({ kind: 'push' }),
  run: async () => ({
    kind: 'failed',
    code: 'executed_outside',
    error: {
      title: 'Not supported here',
      message: 'an external process runs the jobs of a push',
    },
  }),
  errors: itemStore.errors,
  forgetDocument: itemStore.forgetDocument,
  forget: itemStore.purge,
});
