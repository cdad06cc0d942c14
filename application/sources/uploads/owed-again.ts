import { dataSource } from '../../../domain/data-source/index.ts';
import { source } from '../../../domain/source/index.ts';
import { derivedId } from '../../event-sourcing/derived-id.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Hash } from '../../ports/identity.ts';
import { dataSourceStream, sourceStream } from '../../event-sourcing/streams.ts';
import { type GroupFile, readList } from './file-list.ts';

interface OwedAgainDeps {
  readonly execute: Pick<Execute, 'load'>;
  readonly files: FileAreas;
  readonly hash: Hash;
}

/** Looked up at once. */
const WIDTH = 16;

/**
 * Names of those files that the group has already, byte for byte, and that are uploaded for a reason all the same: a caller
 * had taken the document out, it could not be read, or its bytes are lost. To be asked before the new bytes are there.
 */
export const owedAgain = async (
  { execute, files: areas, hash }: OwedAgainDeps,
  id: string,
  uploaded: readonly GroupFile[],
): Promise<ReadonlySet<string>> => {
  const state = (await execute.load(dataSource, dataSourceStream(id), undefined))?.state;
  const newest = state === undefined || state.status === 'none' ? null : (state.uploaded?.list ?? null);
  if (newest === null) return new Set();
  const area = await areas.area(id, 'caller');
  const listed = new Map((await readList(area, newest)).files.map((file) => [file.name, file.sha256]));
  const isOwed = async ({ name, sha256 }: GroupFile): Promise<boolean> => {
    if (!(await area.has(sha256))) return true;
    const found = await execute.load(source, sourceStream(derivedId(hash, 'source', id, name)), undefined);
    return found?.state.status === 'removed' || found?.state.status === 'failed';
  };
  const same = uploaded.filter(({ name, sha256 }) => listed.get(name) === sha256);
  const owed = new Set<string>();
  for (let next = 0; next < same.length; next += WIDTH) {
    const some = same.slice(next, next + WIDTH);
    const found = await Promise.all(some.map(isOwed));
    for (const [i, { name }] of some.entries()) if (found[i] === true) owed.add(name);
  }
  return owed;
};
