import { ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../../access/caller.ts';
import { type Claimed, type Written, idempotently } from '../../event-sourcing/idempotent.ts';
import { type CreateDataSourceDeps, registerDataSource } from '../ingestion/create-data-source.ts';
import { ingestionSettingStream } from '../../event-sourcing/streams.ts';
import { commitFiles, uploadStateOf } from './commit-files.ts';
import { type ReceivedForm, receiveForm } from './receive-form.ts';
import {
  type UploadArea,
  type UploadDeps,
  type UploadFields,
  type UploadPart,
  withUploadArea,
} from './upload-area.ts';

export type CreateGroupDeps = UploadDeps & CreateDataSourceDeps;

/** The state of a group creation. */
interface GroupCreation {
  readonly caller: Caller;
  readonly upload: UploadArea;
  readonly claimed: Claimed;
}

/**
 * Creates a group from the files of a form. If the form has the name before the first file, the group is registered at
 * once, as `not_started`, so that a long upload is visible; a failure deletes it again. With an Idempotency-Key, the
 * group is registered after the whole form has been received, because only then is it known whether the request is a
 * repetition.
 *
 * @throws DomainError invalid_request, key_restricted, idempotency_conflict, conflict; what `parts` throws
 */
export const createCreateGroup =
  (deps: CreateGroupDeps) =>
  async (
    caller: Caller,
    parts: AsyncIterable<UploadPart>,
    idempotencyKey: string | undefined,
  ): Promise<Written<{ readonly sourceGroupId: string }>> => {
    mustBeUnrestricted(caller, 'creating a data source');
    const { ids, clock } = deps;
    const own = { ids: [ids.newId(), ids.newId(), ids.newId()], at: clock.now(), replayed: false };
    const id = idempotencyKey === undefined ? own.ids[0]! : ids.newId();
    let registered = false;
    const use = async (upload: UploadArea) => {
      const creation = { caller, upload, claimed: own };
      const form = await receiveForm(upload.area, parts, async (fields) => {
        if (idempotencyKey !== undefined || fields.name === undefined) return;
        registered = true;
        await register(deps, creation, fields);
      });
      const name = nameOf(form);
      const operation = { operation: 'createLocalFileGroup', key: idempotencyKey, body: form };
      if (idempotencyKey === undefined) return finish(deps, creation, { ...form, name }, registered);
      const run = (claimed: Claimed) => finish(deps, { ...creation, claimed }, { ...form, name }, false);
      const written = await idempotently(deps, operation, 3, caller.context, run);
      await deps.files.remove(upload.id);
      return written;
    };
    return withUploadArea(deps, { id, tenant: caller.tenant }, use);
  };
export type CreateGroup = ReturnType<typeof createCreateGroup>;

const nameOf = ({ name }: ReceivedForm): string => {
  if (name === undefined)
    throw new DomainError('invalid_request', 'send the name of the group, as a part named name');
  return name;
};

const register = async (
  deps: CreateGroupDeps,
  { caller, upload, claimed }: GroupCreation,
  { name = '', chunkMetadataKeys = [] }: Pick<UploadFields, 'name' | 'chunkMetadataKeys'>,
): Promise<void> => {
  const [id] = claimed.ids as [string];
  // With a key, a failed upload does not delete the group: a repeated request completes it.
  if (upload.id === id) await upload.create(id, caller.context);
  const parameters = { kind: 'local_file_group', chunkMetadataKeys } as const;
  await registerDataSource(deps, caller, { name, metadata: [], parameters, awaitsFiles: true }, claimed);
};

const finish = async (
  deps: CreateGroupDeps,
  creation: GroupCreation,
  form: ReceivedForm,
  registered: boolean,
): Promise<Written<{ readonly sourceGroupId: string }>> => {
  const { caller, upload, claimed } = creation;
  const [id, settingId, jobId] = claimed.ids as [string, string, string];
  await upload.assertLeaseHeld();
  if (!registered) await register(deps, creation, form);
  const answer = { sourceGroupId: id };
  const { standing, position: asOf } = await uploadStateOf(deps, caller.tenant, id);
  // Another request with the same key, possibly a later one, has added them.
  if (standing === 'has_files') return { record: answer, position: asOf, changed: false };
  if (standing === 'canceled') {
    throw new DomainError('conflict', 'the group was canceled while its files were being uploaded');
  }
  const { chunkMetadataKeys = [], files } = form;
  if (chunkMetadataKeys.length > 0) {
    const command = { type: 'change', parameters: { chunkMetadataKeys }, at: claimed.at } as const;
    await deps.execute(ingestionSetting, ingestionSettingStream(settingId), command, caller.context);
  }
  if (upload.id !== id) await deps.files.move(upload.id, id);
  // Another request with the same key may add them at the same time.
  const { position, changed } = await commitFiles(deps, caller.context, id, {
    files,
    jobId,
    chunkMetadataKeys,
  });
  return { record: answer, position, changed };
};
