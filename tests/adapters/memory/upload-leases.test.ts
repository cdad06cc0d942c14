import { createMemoryUploadLeases } from '../../support/memory/leases.ts';
import { uploadLeasesContract } from '../contracts/upload-leases.ts';

uploadLeasesContract('the memory adapter', async () => ({
  uploads: createMemoryUploadLeases(() => 1),
  close: async () => {},
}));
