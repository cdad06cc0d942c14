import type { PatternCompiler } from '../../../application/ports/compilers.ts';
import type { RepoParameters } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** Names of branches and tags, as git-check-ref-format has them, in short. */
const REFERENCE = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|[\p{Cc} ~^:?*[\\]))[^]*[^/.]$/u;
const HASH = /^[0-9a-f]{7,64}$/i;

/** @throws DomainError invalid_request, pattern_invalid */
export const checkRepoParameters = (
  patterns: Pick<PatternCompiler, 'pathFilter'>,
  { repository, referenceType, referenceParam, pathFilters }: RepoParameters,
): void => {
  if (repository.split('/').some((part) => part === '.' || part === '..'))
    throw new DomainError('invalid_request', 'repository: give it as owner/repo');
  patterns.pathFilter(pathFilters);
  if (referenceType === 'default') {
    if (referenceParam === '') return;
    throw new DomainError(
      'invalid_request',
      'reference_param: the default branch needs none; for another one give reference_type branch, tag or commit',
    );
  }
  if (referenceParam === '')
    throw new DomainError('invalid_request', `reference_param: say which ${referenceType} is meant`);
  if (referenceType === 'commit' ? !HASH.test(referenceParam) : !REFERENCE.test(referenceParam))
    throw new DomainError('invalid_request', `reference_param: this is no ${WORDS[referenceType]}`);
};

const WORDS = {
  branch: 'name of a branch',
  tag: 'name of a tag',
  commit: 'hash of a commit (7 to 64 hexadecimal digits)',
} as const;
