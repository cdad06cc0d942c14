import { gitBlobName } from './git-object.ts';
import type { RepositoryApi } from './repository-api.ts';

/** Base64 with line ends takes four thirds, and JSON a little beside. */
const inflated = (bytes: number): number => Math.ceil(bytes * 1.4) + 64 * 1024;

/**
 * The bytes of a blob, null where what came is another one. Hosts send it as it is, as asked for, or as JSON with the
 * bytes in base64: its hash tells.
 *
 * @throws AnswerTooLarge, RequestRefused
 */
export const readBlob = async (
  api: RepositoryApi,
  sha: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> => {
  const asked = { maxBytes: inflated(maxBytes), headers: { accept: 'application/vnd.github.raw+json' } };
  const sent = await api.bytes(`git/blobs/${sha}`, asked, signal);
  if (gitBlobName(sent, sha.length) === sha) return sent;
  const decoded = inJson(sent);
  return decoded !== null && gitBlobName(decoded, sha.length) === sha ? decoded : null;
};

const inJson = (bytes: Buffer): Uint8Array | null => {
  try {
    const { content, encoding } = JSON.parse(bytes.toString('utf8')) as {
      content?: unknown;
      encoding?: unknown;
    };
    return encoding === 'base64' && typeof content === 'string' ? Buffer.from(content, 'base64') : null;
  } catch {
    return null;
  }
};
