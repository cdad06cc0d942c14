import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { ExtractableFileType, ExtractionLimits } from '../../../application/ports/document-reader.ts';
import { isCompoundFile, openCompoundFile, type CompoundFile } from '../archive/compound-file.ts';
import { readClaims } from '../kind/claims.ts';
import { fileKind } from '../kind/file-kind.ts';
import { compoundKind, isZip, zipKind } from '../kind/office-kind.ts';
import { isEml, isMsg, readEml, readMsg, type Mail } from '../mail/read-mail.ts';
import { archivedFiles } from './archived-files.ts';
import type { EmbeddedFile } from './embedded-file.ts';
import { embeddedIn } from './find-embedded.ts';

/** Text of a document that lies within another one, by what reads its type. */
export type EmbeddedReader = (
  kind: ExtractableFileType,
  source: Buffer | CompoundFile,
  name: string,
  limits: ExtractionLimits,
) => Promise<{ readonly units: readonly TextUnit[]; readonly attachments?: readonly EmbeddedFile[] }>;

/** A document that was read, and the documents within it that its reader came upon. */
export interface Holder {
  readonly kind: ExtractableFileType;
  readonly source: Buffer | CompoundFile;
  readonly attachments: readonly EmbeddedFile[];
}

/** What a file has to say, and the files within it. */
interface Contents {
  readonly units: readonly TextUnit[];
  readonly files: Iterable<EmbeddedFile>;
}

/** Pictures of points, sound and video within a document are part of its looks. */
const READ = new Set<ExtractableFileType>([
  ...(['doc', 'docx', 'docm', 'ppt', 'pptx', 'pptm', 'xls', 'xlsx', 'xlsm'] as const),
  ...(['pdf', 'html', 'md', 'txt'] as const),
]);

/** Null for what is not read within documents. @throws what is wrong with it */
export const contentsOf = async (
  { name, content }: EmbeddedFile,
  limits: ExtractionLimits,
  read: EmbeddedReader,
): Promise<Contents | null> => {
  const mail = await mailIn(content, name);
  if (mail !== null) return { units: [mail.unit], files: mail.attachments };
  const found = await kindOf({ name, content });
  if (found === 'archive') return { units: [], files: archivedFiles(content as Buffer) };
  if (found === null) return null;
  const { units, attachments = [] } = await read(found, content, name, limits);
  return { units, files: filesIn({ kind: found, source: content, attachments }) };
};

const mailIn = async (content: Buffer | CompoundFile, name: string): Promise<Mail | null> => {
  if (Buffer.isBuffer(content) && !isCompoundFile(content))
    return isEml(content, name) ? await readEml(content) : null;
  const file = openCompoundFile(content);
  return isMsg(file) ? await readMsg(file) : null;
};

/** As many as there are before one that breaks the list. */
export const filesIn = function* ({ kind, source, attachments }: Holder): Generator<EmbeddedFile> {
  yield* attachments;
  try {
    yield* embeddedIn(kind, source);
  } catch {
    // The document around them is well.
  }
};

const kindOf = async ({ name, content }: EmbeddedFile): Promise<ExtractableFileType | 'archive' | null> => {
  if (!Buffer.isBuffer(content)) {
    const found = compoundKind(content);
    return 'kind' in found ? found.kind : null;
  }
  if (isZip(content)) {
    const found = zipKind(content);
    if ('mediaType' in found) return found.mediaType === 'application/zip' ? 'archive' : null;
  }
  const kind = await fileKind(
    content,
    readClaims(name === '' ? { fileName: 'object.bin' } : { fileName: name }),
  );
  return typeof kind === 'string' && READ.has(kind) ? kind : null;
};
