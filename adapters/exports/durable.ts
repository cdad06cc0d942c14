import { open } from 'node:fs/promises';

/** Writes a file, and returns when its bytes are on the disk. */
export const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
};
