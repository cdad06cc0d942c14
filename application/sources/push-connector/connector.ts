import type { PushParameters } from '../../../domain/ingestion-setting/index.ts';
import type { Connector } from '../ingestion/connector.ts';
import type { ItemStore } from '../../ports/item-store.ts';

/** Documents that a process outside brings, each under a name of its own. Nothing is looked for here. */
export const createPushConnector = (
  itemStore: Pick<ItemStore, 'errors' | 'forgetDocument' | 'purge'>,
): Connector<PushParameters> => ({
  kind: 'push',
  sourceType: 'push',
  outside: true,
  contentParameters: [],
  check: () => {},
  subjectOf: () => ({ kind: 'push' }),
  run: async () => ({
    kind: 'failed',
    code: 'executed_outside',
    error: {
      title: 'Not supported here',
      message: 'the jobs of a push are done by the process that feeds it',
    },
  }),
  errors: itemStore.errors,
  forgetDocument: itemStore.forgetDocument,
  forget: itemStore.purge,
});
