import { type DefinedSetting, ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, sees } from '../../access/caller.ts';
import { dataSourceWithRow } from '../data-sources/data-source-with-row.ts';
import { rowIn } from '../../read-models/with-row.ts';
import type { DataSourceView, NamedDataSource } from '../../ports/data-source-view.ts';
import {
  dataSourceStream,
  derivedId,
  ingestionSettingStream,
  sourceStream,
} from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { commitFiles, noSuchGroup } from './commit-files.ts';
import { type ReceivedForm, receiveForm } from './receive-form.ts';
import { type UploadDeps, type UploadPart, withUploadArea } from './upload-area.ts';
import { mustTakeFiles, dataSource } from '../../../domain/data-source/index.ts';
import { source } from '../../../domain/source/decider.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Hash } from '../../ports/identity.ts';
import { type GroupFile, readList } from './file-list.ts';

interface FilesToReadAgainDeps {
  readonly execute: Pick<Execute, 'load'>;
  readonly files: FileAreas;
  readonly hash: Hash;
}

/** Concurrent look-ups. */
const WIDTH = 16;

/**
 * Names of uploaded files that the group already has with identical bytes but that must be read again: a caller had
 * removed the document, it could not be read, or its bytes are lost. Call it before the new bytes are stored.
 */
const filesToReadAgain = async (
  { execute, files: areas, hash }: FilesToReadAgainDeps,
  id: string,
  uploaded: readonly GroupFile[],
): Promise<ReadonlySet<string>> => {
  const state = (await execute.load(dataSource, dataSourceStream(id), undefined))?.state;
  const newest = state === undefined || state.status === 'none' ? null : (state.uploaded?.list ?? null);
  if (newest === null) return new Set();
  const area = await areas.area(id, 'caller');
  const listed = new Map((await readList(area, newest)).files.map((file) => [file.name, file.sha256]));
  const mustReadAgain = async ({ name, sha256 }: GroupFile): Promise<boolean> => {
    if (!(await area.has(sha256))) return true;
    const found = await execute.load(source, sourceStream(derivedId(hash, 'source', id, name)), undefined);
    return found?.state.status === 'removed' || found?.state.status === 'failed';
  };
  const same = uploaded.filter(({ name, sha256 }) => listed.get(name) === sha256);
  const pending = new Set<string>();
  for (let next = 0; next < same.length; next += WIDTH) {
    const some = same.slice(next, next + WIDTH);
    const found = await Promise.all(some.map(mustReadAgain));
    for (const [i, { name }] of some.entries()) if (found[i] === true) pending.add(name);
  }
  return pending;
};

export interface AddFilesDeps extends UploadDeps {
  readonly view: Pick<DataSourceView, 'withChunkMetadataCounts'>;
}

/**
 * Adds the files of a form to a group, and replaces those with the same names. Identical files change nothing, unless a
 * caller had removed them, they could not be read, or their bytes are lost: a job reads these again.
 *
 * @throws DomainError invalid_request, not_found, source_deleting, conflict; what `parts` throws
 */
export const createAddFiles =
  (deps: AddFilesDeps) =>
  async (caller: Caller, id: string, parts: AsyncIterable<UploadPart>): Promise<Written<NamedDataSource>> => {
    // Refuse before the client sends the files.
    const setting = await settingOf(deps, caller, id);
    const uploadKey = { id: deps.ids.newId(), tenant: caller.tenant };
    return withUploadArea(deps, uploadKey, async (upload) => {
      const form = await receiveForm(upload.area, parts, async () => {});
      mustFit(form, setting);
      // Check again: the group may have changed while the files were received.
      await settingOf(deps, caller, id);
      const again = await filesToReadAgain(deps, id, form.files);
      await upload.assertLeaseHeld();
      await deps.files.move(upload.id, id);
      const facts = { files: form.files, again, jobId: deps.ids.newId() };
      const { record: row, ...written } = await commitFiles(deps, caller.context, id, facts);
      const [record] = await deps.view.withChunkMetadataCounts([
        { row, name: setting.name, parameters: setting.parameters },
      ]);
      return { record: record!, ...written };
    });
  };
export type AddFiles = ReturnType<typeof createAddFiles>;

/** The setting of a group that accepts files. @throws DomainError not_found, source_deleting, conflict */
const settingOf = async ({ execute }: UploadDeps, caller: Caller, id: string): Promise<DefinedSetting> => {
  if (!sees(caller, id)) throw noSuchGroup();
  const found = await execute.load(dataSourceWithRow, dataSourceStream(id), caller.tenant);
  const row = found && rowIn(found.state, id, caller.tenant);
  if (row === null) throw noSuchGroup();
  mustTakeFiles(row);
  if (row.status === 'not_started')
    throw new DomainError(
      'conflict',
      'the first files of this group are still being uploaded: try again later',
    );
  const setting = await execute.load(
    ingestionSetting,
    ingestionSettingStream(row.ingestionSettingId),
    caller.tenant,
  );
  if (setting?.state.status !== 'defined') throw noSuchGroup();
  return setting.state;
};

/** A client may send the whole form again; its fields must then match the group. */
const mustFit = ({ name, chunkMetadataKeys: keys }: ReceivedForm, setting: DefinedSetting): void => {
  const { parameters } = setting;
  if (name !== undefined && name !== setting.name)
    throw new DomainError(
      'invalid_request',
      'the group has another name: leave name out, or change it with PUT /source-groups/{id}',
    );
  if (keys === undefined || parameters.kind !== 'local_file_group') return;
  if (JSON.stringify(keys) !== JSON.stringify(parameters.chunkMetadataKeys))
    throw new DomainError(
      'invalid_request',
      'the group has other chunk_metadata_keys, which are fixed at its creation: leave them out',
    );
};
