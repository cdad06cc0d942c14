import type { RepoParameters } from '../../../domain/ingestion-setting/index.ts';
import type { FoundCommit } from './commit.ts';

/** What one job leaves for the next. */
export interface RepositoryMark {
  /** The commit that was listed. */
  readonly commit: FoundCommit;
  /** What the repository answers to: by its number, it is found after it was renamed. */
  readonly place: string;
  /** What was asked for, and of which files: of another question the answer says nothing. */
  readonly question: string;
}

export const questionOf = ({
  repository,
  referenceType,
  referenceParam,
  pathFilters,
}: RepoParameters): string => JSON.stringify([repository, referenceType, referenceParam, pathFilters]);

export const writeMark = (mark: RepositoryMark): string => JSON.stringify(mark);

/** Null for one that is none, as another version may have left it. */
export const readMark = (text: string | null): RepositoryMark | null => {
  try {
    const { commit, place, question } = JSON.parse(text ?? 'null') as RepositoryMark;
    const isMark = [commit.sha, place, question].every((field) => typeof field === 'string');
    return isMark ? { commit, place, question } : null;
  } catch {
    return null;
  }
};
