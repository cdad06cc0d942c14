import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { commandFor, type InstalledModel, ModelNotInstalled } from './manifest.ts';

/** Whether every file has the hash that it was fetched with. @throws ModelNotInstalled */
export const verifyFiles = async ({ name, folder, files }: InstalledModel): Promise<void> => {
  for (const { path, sha256 } of files) {
    if ((await hashOf(join(folder, path))) === sha256) continue;
    throw new ModelNotInstalled(`${path} of the model ${name} is not as it was fetched: ${commandFor(name)}`);
  }
};

/** Null where the file cannot be read. @param before hashed before the bytes of the file */
export const hashOf = async (
  path: string,
  algorithm: 'sha256' | 'sha1' = 'sha256',
  before = '',
): Promise<string | null> => {
  const hash = createHash(algorithm).update(before);
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
};
