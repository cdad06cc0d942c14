import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { FILE_MODE, makeDirectory, syncDirectory } from './directories.ts';
import { readWhole } from './reading.ts';

const NAME = '.knowledger';

/** A small file at the root of the place, by which a volume that is not mounted is told from one that holds nothing. */
export interface PlaceMark {
  /** As the port of file areas has it. */
  readonly claim: (known: string | null, fresh: string) => Promise<string>;
  /** Whether the place was claimed by this process. */
  readonly isClaimed: () => boolean;
  /** @throws FileStoreUnavailable `missing` when the place was claimed and does not have its mark any more */
  readonly mustBeThere: () => Promise<void>;
}

export const createPlaceMark = (directory: string): PlaceMark => {
  const path = join(directory, NAME);
  let expected: string | null = null;

  const mustBeThere = async (): Promise<void> => {
    if (expected === null) return;
    const found = await read(path);
    if (found === expected) return;
    throw new FileStoreUnavailable(
      'missing',
      found === ''
        ? `the files are not there: ${path} is missing. Is the volume mounted? To go on without the files that were ` +
            `there, make this file with the one line ${expected}`
        : `${directory} holds the files of another service: ${path} should say ${expected}`,
    );
  };

  return {
    claim: async (known, fresh) => {
      if (known === null && (await read(path)) === '') await leave(directory, path, fresh);
      expected = known ?? (await read(path));
      await mustBeThere();
      return expected;
    },
    isClaimed: () => expected !== null,
    mustBeThere,
  };
};

/** Empty where there is none, or where a crash has left half of one. */
const read = async (path: string): Promise<string> => (await readWhole(path))?.toString().trim() ?? '';

const leave = async (directory: string, path: string, mark: string): Promise<void> => {
  await makeDirectory(directory);
  const unfinished = `${path}-${randomUUID()}`;
  await writeFile(unfinished, `${mark}\n`, { flag: 'wx', mode: FILE_MODE, flush: true });
  await rename(unfinished, path);
  await syncDirectory(directory);
};
