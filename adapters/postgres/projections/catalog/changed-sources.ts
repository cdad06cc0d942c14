import { type ContentChanges, contentChanges } from '../../../../application/read-models/source-contents.ts';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import type { FoldedBatch, SourceState, StoredBatch, StoredContent, StoredSource } from './batch.ts';

/** A source whose row has to be written. */
export interface ChangedSource {
  readonly row: SourceRow;
  readonly before: StoredSource | null;
  readonly after: SourceState;
  readonly contents: ContentChanges<StoredContent>;
}

/** Leaves out what the batch did not change, and what its deleted data source takes along. */
export const changedSources = (before: StoredBatch, after: FoldedBatch): readonly ChangedSource[] => {
  const changed: ChangedSource[] = [];
  for (const [id, state] of after.sources) {
    const stored = before.sources.get(id) ?? null;
    if (state === stored || state.row === null) continue;
    const contents =
      state.contents === stored?.contents
        ? UNCHANGED
        : contentChanges(stored?.contents ?? [], state.contents);
    changed.push({ row: state.row, before: stored, after: state, contents });
  }
  return changed;
};

const UNCHANGED: ContentChanges<StoredContent> = { gone: [], moved: [], fresh: [] };
