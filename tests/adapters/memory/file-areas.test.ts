import { createMemoryFileAreas } from '../../support/memory/file-areas.ts';
import { fileAreasContract } from '../contracts/file-areas.ts';
import { fileStoreContract } from '../contracts/file-store.ts';
import { localFileStoreContract } from '../contracts/local-file-store.ts';

const areas = createMemoryFileAreas();
const area = async () => ({
  store: await areas.area('01a1fb75-64cc-71f4-80d9-5adbfbf54f80'),
  close: async () => {},
});

fileAreasContract('the memory adapter', async () => ({ areas, close: async () => {} }));
fileStoreContract('an area in memory', area);
localFileStoreContract('an area in memory', area);
