import { sha256Bytes } from '../../adapters/system/proof.ts';
import { parseVerifierKey, type VerifierKey } from '../../domain/proof/note.ts';
import { ConfigError, list, type Variable } from './environment.ts';

/** Witnesses of checkpoints: for each its key, and its URL without a trailing slash. */
export const witnesses: Variable<readonly { readonly key: VerifierKey; readonly url: string }[]> = (
  given,
  name,
) =>
  list(given, name).map((item) => {
    const [verifier = '', prefix = '', ...rest] = item.split(/\s+/);
    const key = parseVerifierKey(sha256Bytes, verifier);
    const isComplete = key?.algorithm === 'cosignature' && /^https?:/.test(prefix) && URL.canParse(prefix);
    if (key !== null && isComplete && rest.length === 0) return { key, url: prefix.replace(/\/+$/, '') };
    throw new ConfigError(
      `${name} takes for each witness its verifier key for cosignatures and its URL, separated by a space, and commas between witnesses`,
    );
  });
