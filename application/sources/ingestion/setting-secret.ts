import {
  changedParameters,
  type DefinedSetting,
  type IngestionSettingState,
  ingestionSetting,
  type ParameterChange,
  secretOf,
} from '../../../domain/ingestion-setting/index.ts';
import { type Caller, mustBeUnrestricted } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Position } from '../../ports/event-store.ts';
import type { SecretUses } from '../../access/secrets/uses.ts';
import { ingestionSettingStream } from '../../event-sourcing/streams.ts';
import { connectorOf, type Connectors } from './connector.ts';

interface SettingSecretDeps {
  readonly execute: Pick<Execute, 'load'>;
  readonly connectors: Connectors;
  readonly uses: SecretUses;
}

interface AttachedSecret {
  /** To be called when the setting names it: another change may have let go of it in between. */
  readonly confirm: () => Promise<void>;
  /** To be called when the setting does not come to name it. */
  readonly undo: () => Promise<unknown>;
}
const NOTHING: AttachedSecret = { confirm: async () => {}, undo: async () => {} };

/**
 * Attaches the secret that the change names to the data source, before the setting names it.
 *
 * @throws DomainError secret_not_found, invalid_request for one of another type; key_restricted: secrets are the tenant's
 */
export const attachSecret = async (
  deps: SettingSecretDeps,
  caller: Caller,
  id: string,
  setting: DefinedSetting,
  change: ParameterChange | undefined,
): Promise<AttachedSecret> => {
  const { parameters } = setting;
  const [before, after] = [secretOf(parameters), secretOf(changedParameters(parameters, change ?? {}))];
  if (before === after || after === null) return NOTHING;
  mustBeUnrestricted(caller, 'naming another secret');
  const confirm = () => attach(deps, caller, setting, after);
  await confirm();
  return { confirm, undo: () => letGo(deps, caller, id, setting, after) };
};

/** Detaches the secret that the setting named before, once it names it no more. Answers the position of that. */
export const letGoOfFormer = async (
  deps: SettingSecretDeps,
  caller: Caller,
  id: string,
  before: IngestionSettingState,
  after: IngestionSettingState,
): Promise<Position | null> => {
  if (before.status === 'none' || after.status === 'none') return null;
  const [former, now] = [secretOf(before.parameters), secretOf(after.parameters)];
  return former === null || former === now ? null : letGo(deps, caller, id, after, former);
};

const attach = (
  { connectors, uses }: SettingSecretDeps,
  { context }: Caller,
  { parameters, dataSourceId }: DefinedSetting,
  secretId: string,
): Promise<void> =>
  uses.attach(context, secretId, dataSourceId, connectorOf(connectors, parameters.kind).secretTypes ?? []);

/**
 * Null where the setting names the secret by now. It may come to do so in this moment: whoever names it looks after its
 * attachment then, and what was named before the detachment is attached again here.
 */
const letGo = async (
  deps: SettingSecretDeps,
  caller: Caller,
  id: string,
  setting: DefinedSetting,
  secretId: string,
): Promise<Position | null> => {
  const isNamed = async (): Promise<boolean> => {
    const found = await deps.execute.load(ingestionSetting, ingestionSettingStream(id), caller.tenant);
    return found?.state.status === 'defined' && secretOf(found.state.parameters) === secretId;
  };
  if (await isNamed()) return null;
  const position = await deps.uses.detach(caller.context, secretId, setting.dataSourceId);
  if (await isNamed()) await attach(deps, caller, setting, secretId);
  return position;
};
