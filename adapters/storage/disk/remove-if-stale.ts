import { rm, stat } from 'node:fs/promises';

/**
 * Deletes a file that was last written before `before` (Unix milliseconds), by what the disk says now: since it was
 * listed, somebody may have needed it again. Answers whether it is gone by this.
 */
export const removeIfStale = async (path: string, before: number): Promise<boolean> => {
  const file = await stat(path).catch(() => null);
  if (file === null || file.mtimeMs >= before) return false;
  await rm(path, { force: true });
  return true;
};
