import { createMemorySnapshotStore } from '../../../adapters/memory/snapshot-store.ts';
import { snapshotStoreContract } from '../contracts/snapshot-store.ts';

snapshotStoreContract('memory', async () => ({
  snapshots: createMemorySnapshotStore(),
  close: async () => {},
}));
