import { createMemoryFileAreas } from '../../support/memory/file-areas.ts';
import { createMemoryFileStore } from '../../support/memory/file-store.ts';
import { createMemoryItemStore } from '../../support/memory/item-store.ts';
import { createMemoryAnswerLeases, createMemoryUploadLeases } from '../../support/memory/leases.ts';
import { createMemoryVault } from '../../support/memory/vault.ts';
import { answerLeasesContract } from '../contracts/answer-leases.ts';
import { fileAreasContract } from '../contracts/file-areas.ts';
import { fileStoreContract } from '../contracts/file-store.ts';
import { itemStoreContract } from '../contracts/item-store.ts';
import { localFileStoreContract } from '../contracts/local-file-store.ts';
import { uploadLeasesContract } from '../contracts/upload-leases.ts';
import { vaultContract } from '../contracts/vault.ts';

const NAME = 'the memory adapter';
const close = async (): Promise<void> => {};

answerLeasesContract(NAME, async () => ({
  answerLeases: createMemoryAnswerLeases({ now: Date.now }),
  close,
}));
uploadLeasesContract(NAME, async () => ({ uploads: createMemoryUploadLeases(() => 1), close }));
vaultContract(NAME, async () => ({ vault: createMemoryVault(), close }));
itemStoreContract(NAME, async () => {
  const sources = new Map<string, readonly string[]>();
  return {
    itemStore: createMemoryItemStore((dataSourceId) => sources.get(dataSourceId) ?? []),
    catalog: async (dataSourceId, there) => void sources.set(dataSourceId, there),
    close,
  };
});

fileStoreContract(NAME, async () => ({ store: createMemoryFileStore(), close }));
const areas = createMemoryFileAreas();
const area = async () => ({ store: await areas.area('01a1fb75-64cc-71f4-80d9-5adbfbf54f80'), close });
fileAreasContract(NAME, async () => ({ areas, close }));
fileStoreContract('an area in memory', area);
localFileStoreContract('an area in memory', area);
