import { openZip } from '../archive/zip.ts';
import type { EmbeddedFile } from './embedded-file.ts';

/** What systems put into archives beside the files of their users. */
const OF_SYSTEMS = /(?:^|\/)(?:__MACOSX\/|\.|desktop\.ini$|thumbs\.db$)/i;

/** Files of a ZIP archive in their order, by the last part of their paths. One that does not unfold is left out. */
export const archivedFiles = function* (bytes: Buffer): Generator<EmbeddedFile> {
  const zip = openZip(bytes);
  for (const path of zip.names) {
    if (path.endsWith('/') || OF_SYSTEMS.test(path)) continue;
    const content = unfolded(() => zip.read(path));
    if (content !== null && content.length > 0)
      yield { name: path.slice(path.lastIndexOf('/') + 1), content };
  }
};

const unfolded = (read: () => Buffer | null): Buffer | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
