import { createMemoryUploadsUnderWay } from '../../../adapters/memory/uploads-under-way.ts';
import { uploadsUnderWayContract } from '../contracts/uploads-under-way.ts';

uploadsUnderWayContract('the memory adapter', async () => ({
  uploads: createMemoryUploadsUnderWay(() => 1),
  close: async () => {},
}));
