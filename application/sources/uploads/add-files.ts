import { type DefinedSetting, ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, sees } from '../../access/caller.ts';
import { dataSourceWithRow } from '../data-sources/data-source-with-row.ts';
import { rowIn } from '../../read-models/with-row.ts';
import type { DataSourceView, NamedDataSource } from '../../ports/data-source-view.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/written.ts';
import { commitFiles, noSuchGroup } from './commit-files.ts';
import { owedAgain } from './owed-again.ts';
import { type ReceivedForm, receiveForm } from './receive-form.ts';
import { type UploadDeps, withUploadArea } from './upload-area.ts';
import type { UploadPart } from './upload-part.ts';
import { mustTakeFiles } from '../../../domain/data-source/index.ts';

export interface AddFilesDeps extends UploadDeps {
  readonly view: Pick<DataSourceView, 'withChunkMetadatas'>;
}

/**
 * Adds the files of a form to a group, and replaces those of the same names. Files that are there already, byte for byte,
 * change nothing, unless a caller had taken them out, they could not be read, or their bytes are lost: a job reads these.
 *
 * @throws DomainError invalid_request, not_found, source_deleting, conflict; what `parts` throws
 */
export const createAddFiles =
  (deps: AddFilesDeps) =>
  async (caller: Caller, id: string, parts: AsyncIterable<UploadPart>): Promise<Written<NamedDataSource>> => {
    // Before anything is sent in vain.
    const setting = await settingOf(deps, caller, id);
    const use = { id: deps.ids.newId(), tenant: caller.tenant };
    return withUploadArea(deps, use, async (upload) => {
      const form = await receiveForm(upload.area, parts, async () => {});
      mustFit(form, setting);
      await settingOf(deps, caller, id);
      const again = await owedAgain(deps, id, form.files);
      await upload.stillOurs();
      await deps.files.move(upload.id, id);
      const facts = { files: form.files, again, jobId: deps.ids.newId() };
      const { record: row, ...written } = await commitFiles(deps, caller.context, id, facts);
      const [record] = await deps.view.withChunkMetadatas([
        { row, name: setting.name, parameters: setting.parameters },
      ]);
      return { record: record!, ...written };
    });
  };
export type AddFiles = ReturnType<typeof createAddFiles>;

/** Of a group that takes files. @throws DomainError not_found, source_deleting, conflict */
const settingOf = async ({ execute }: UploadDeps, caller: Caller, id: string): Promise<DefinedSetting> => {
  if (!sees(caller, id)) throw noSuchGroup();
  const found = await execute.load(dataSourceWithRow, dataSourceStream(id), caller.tenant);
  const row = found && rowIn(found.state, id, caller.tenant);
  if (row === null) throw noSuchGroup();
  mustTakeFiles(row);
  if (row.status === 'not_started')
    throw new DomainError(
      'conflict',
      'the first files of this group are still on their way: try again later',
    );
  const setting = await execute.load(
    ingestionSetting,
    ingestionSettingStream(row.ingestionSettingId),
    caller.tenant,
  );
  if (setting?.state.status !== 'defined') throw noSuchGroup();
  return setting.state;
};

/** Whoever sends the whole form again means the same group. */
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
