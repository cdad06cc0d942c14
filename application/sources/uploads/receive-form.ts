import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { LocalFileStore, Receiving, StoredFile } from '../../ports/file-store.ts';
import { type GroupFile, uniqueNames, groupFileName } from './file-list.ts';
import { type UploadFields, type UploadPart, withField } from './upload-area.ts';

/** A completely received form. */
export interface ReceivedForm extends Omit<UploadFields, 'lastModified'> {
  readonly files: readonly GroupFile[];
}

/** Maximum number of received files that are not yet durable: the disk is awaited while further files arrive. */
const UNSETTLED = 16;
/** Larger than any form. */
const MAX_BYTES = 2 ** 40;

/**
 * Stores the files of a form one after the other as they arrive, without holding one in memory. Parts may come in any
 * order: the i-th time belongs to the i-th file.
 *
 * @param begin called once, before the first file is stored, with the fields received so far
 * @throws DomainError invalid_request; what `parts`, `begin` and the store throw
 */
export const receiveForm = async (
  area: Pick<LocalFileStore, 'receive'>,
  parts: AsyncIterable<UploadPart>,
  begin: (fields: UploadFields) => Promise<void>,
): Promise<ReceivedForm> => {
  let fields: UploadFields = { lastModified: [] };
  const names: string[] = [];
  const storing: Promise<StoredFile>[] = [];
  const receiving = area.receive();
  try {
    for await (const part of parts) {
      if (part.kind === 'field') {
        fields = withField(fields, part.name, part.value);
        continue;
      }
      if (names.length === 0) await begin(fields);
      names.push(groupFileName(part.fileName, names.length + 1));
      await storing.at(-UNSETTLED);
      storing.push((await store(receiving, part.body)).file);
    }
    const stored = await Promise.all(storing);
    await receiving.settle();
    return formOf(fields, names, stored);
  } finally {
    await Promise.allSettled(storing);
  }
};

/**
 * Resolves when all bytes have been received; `file` resolves when they are stored. @throws what `body` and the store
 * throw
 */
const store = async (
  receiving: Receiving,
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly file: Promise<StoredFile> }> => {
  const over = Promise.withResolvers<void>();
  let whole = false;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
      whole = true;
    } finally {
      over.resolve();
    }
  }
  const file = receiving.put(watched(), MAX_BYTES);
  file.catch(() => over.resolve());
  await over.promise;
  if (!whole) await file;
  return { file };
};

const formOf = (
  { lastModified, ...fields }: UploadFields,
  names: readonly string[],
  files: readonly StoredFile[],
): ReceivedForm => {
  if (files.length === 0)
    throw new DomainError('invalid_request', 'send at least one file, as a part named files');
  if (lastModified.length !== files.length) {
    throw new DomainError(
      'invalid_request',
      `send last_modified once for each file, in the same order: there are ${files.length} files and ` +
        `${lastModified.length} times`,
    );
  }
  const unique = uniqueNames(names);
  return {
    ...fields,
    files: files.map(({ sha256, bytes }, i) => ({
      name: unique[i] as string,
      sha256,
      bytes,
      modified: lastModified[i] as number,
    })),
  };
};
