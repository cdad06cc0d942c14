import type { RepoParameters } from '../../../domain/ingestion-setting/index.ts';
import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { parsed, textOf } from '../../http-client/answer.ts';
import { Unusable } from '../../http-client/ask.ts';
import { RequestRefused } from '../../http-client/refusal.ts';
import { encodedPath } from './host.ts';
import { type RepositoryApi, textField } from './repository-api.ts';

/** What a reference led to. */
export interface FoundCommit {
  readonly sha: string;
  /** Asked with it, the host says in one free answer that nothing has changed. */
  readonly etag: string | null;
}

type Reference = Pick<RepoParameters, 'referenceType' | 'referenceParam'>;

const MOST_COMMIT_BYTES = 8 * 1024 ** 2;
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const ONLY_THE_HASH = 'application/vnd.github.sha, application/json;q=0.5';

/**
 * The commit that the reference means now, null for a repository without any, 'same' where it is that of `before`.
 *
 * @throws SourceRefused where there is no such branch, tag or commit; RequestRefused for the repository as a whole
 */
export const findCommit = async (
  api: RepositoryApi,
  reference: Reference,
  before: FoundCommit | null,
  signal: AbortSignal,
): Promise<FoundCommit | 'same' | null> => {
  const etag = before?.etag ?? null;
  const asked = {
    maxBytes: MOST_COMMIT_BYTES,
    headers: { accept: ONLY_THE_HASH, ...(etag !== null && { 'if-none-match': etag }) },
    takes: [304],
  };
  try {
    const path = api.host.flavour.commitPath(await refOf(api, reference, signal));
    return await api.ask(
      path,
      asked,
      async (answer) => {
        if (answer.status === 304) return 'same';
        const sha = shaIn(await textOf(answer));
        return sha === before?.sha ? 'same' : { sha, etag: answer.header('etag') };
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    if (error.status === 409) return null;
    if (error.status !== 422) throw error;
    throw noSuchReference(reference);
  }
};

const noSuchReference = ({ referenceType, referenceParam }: Reference): SourceRefused =>
  new SourceRefused(
    'reference_not_found',
    'Not found at the provider',
    `the repository has no ${referenceType} ${referenceParam}: change the reference of its setting`,
  );

/** GitHub's words for each: a branch and a tag may have the same name. */
const refOf = async (
  api: RepositoryApi,
  { referenceType, referenceParam }: Reference,
  signal: AbortSignal,
): Promise<string> => {
  const { knowsHead } = api.host.flavour;
  switch (referenceType) {
    case 'default':
      if (knowsHead) return 'HEAD';
      return encodedPath(textField(await api.json('', MOST_COMMIT_BYTES, signal), 'default_branch'));
    case 'branch':
      return encodedPath(knowsHead ? `heads/${referenceParam}` : referenceParam);
    case 'tag':
      return encodedPath(knowsHead ? `tags/${referenceParam}` : referenceParam);
    case 'commit':
      return encodeURIComponent(referenceParam);
  }
};

/** The hash alone, or JSON with it. */
const shaIn = (text: string): string => {
  const sha = text.startsWith('{') ? textField(parsed(text), 'sha') : text.trim();
  if (!SHA.test(sha)) throw new Unusable('sent no hash of a commit');
  return sha;
};
