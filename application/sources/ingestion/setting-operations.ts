import { type DataSourceKind, dataSource } from '../../../domain/data-source/index.ts';
import {
  type DefinedSetting,
  type IngestionSettingState,
  type ParameterChange,
  changedParameters,
  ingestionSetting,
  secretOf,
} from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted, sees } from '../../access/caller.ts';
import type { SecretAttachments } from '../../access/secrets/attachments.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import type { DataSourceView, IngestionSettingRow } from '../../ports/data-source-view.ts';
import type { Position } from '../../ports/event-store.ts';
import type { Clock } from '../../ports/identity.ts';
import { ingestionSettingRowOf } from '../../read-models/ingestion-setting-row.ts';
import type { Scheduling } from '../schedules/scheduling.ts';
import { type Connectors, connectorOf } from './connector.ts';

/** What a caller may change; null removes the schedule. */
export interface SettingChange {
  readonly name?: string;
  readonly rrule?: string | null;
  /** Absent parameters stay unchanged. Changes take effect from the next job on. */
  readonly parameters?: ParameterChange;
}

export interface IngestionSettingDeps {
  readonly execute: Execute;
  readonly view: DataSourceView;
  readonly scheduling: Scheduling;
  readonly clock: Clock;
  readonly connectors: Connectors;
  readonly secretAttachments: SecretAttachments;
}

/** Operations on the settings of one kind. All throw DomainError `not_found` for what the caller may not see. */
export const createIngestionSettingOperations = (deps: IngestionSettingDeps) => {
  const get = async (caller: Caller, kind: DataSourceKind, id: string): Promise<IngestionSettingRow> => {
    const row = await (caller.past?.dataSources ?? deps.view).getSetting(caller.tenant, id);
    if (row === null || row.parameters.kind !== kind || !sees(caller, row.dataSourceId))
      throw dataSourceNotFound();
    return row;
  };
  return {
    get,

    change: async (
      caller: Caller,
      kind: DataSourceKind,
      id: string,
      { name, rrule, parameters }: SettingChange,
    ): Promise<Written<IngestionSettingRow>> => {
      const at = deps.clock.now();
      // An empty form field must not remove the schedule.
      if (rrule?.trim() === '') {
        throw new DomainError('invalid_rrule', 'the rule is empty: send null to remove the schedule');
      }
      const schedule = typeof rrule === 'string' ? await deps.scheduling.schedule(rrule, at) : rrule;
      const command = {
        type: 'change',
        ...(name !== undefined && { name }),
        ...(parameters !== undefined && { parameters }),
        ...(schedule !== undefined && { schedule }),
        at,
      } as const;
      let before: IngestionSettingState = ingestionSetting.initial;
      const guard = (state: IngestionSettingState): void => {
        before = state;
        if (state.status === 'none' || parameters === undefined) return;
        connectorOf(deps.connectors, kind).check(changedParameters(state.parameters, parameters));
      };
      const setting = await mustLive(deps, caller, kind, id);
      const attached = await attachSecret(deps, caller, id, setting, parameters);
      const done = await deps
        .execute(ingestionSetting, ingestionSettingStream(id), command, caller.context, {
          guard,
        })
        .catch(async (error: unknown) => {
          // A refused change must leave nothing behind; after another failure the change may have been written.
          if (error instanceof DomainError) await attached.undo();
          throw error;
        });
      await attached.confirm();
      const detached = await detachFormerSecret(deps, caller, id, before, done.state);
      const { state, revision, events } = done;
      const position = detached !== null && detached > done.position ? detached : done.position;
      if (state.status === 'none' || revision === 'none') throw dataSourceNotFound();
      const record = ingestionSettingRowOf(state, { id, tenant: caller.tenant, revision });
      return { record, position, changed: events.length > 0 };
    },

    /**
     * The next times (Unix milliseconds, ascending, at most `limit`) of a schedule that began now.
     *
     * @throws DomainError invalid_rrule
     */
    preview: async (rrule: string, limit: number): Promise<readonly number[]> => {
      const now = deps.clock.now();
      return deps.scheduling.occurrences(await deps.scheduling.schedule(rrule, now), now, limit);
    },

    /** The next times (Unix milliseconds) at which the schedule queues a job; empty without a schedule. */
    occurrences: async (
      caller: Caller,
      kind: DataSourceKind,
      id: string,
      limit: number,
    ): Promise<readonly number[]> => {
      const { schedule } = await get(caller, kind, id);
      return schedule === null ? [] : deps.scheduling.occurrences(schedule, deps.clock.now(), limit);
    },
  };
};
export type IngestionSettingOperations = ReturnType<typeof createIngestionSettingOperations>;

const dataSourceNotFound = (): DomainError =>
  new DomainError('not_found', 'there is no such ingestion setting');

/** Refuses a setting whose data source was removed. */
const mustLive = async (
  { execute }: IngestionSettingDeps,
  caller: Caller,
  kind: DataSourceKind,
  id: string,
): Promise<DefinedSetting> => {
  const { tenant } = caller;
  const setting = (await execute.load(ingestionSetting, ingestionSettingStream(id), tenant))?.state;
  if (setting?.status !== 'defined' || setting.parameters.kind !== kind) throw dataSourceNotFound();
  const { dataSourceId } = setting;
  const found = await execute.load(dataSource, dataSourceStream(dataSourceId), tenant);
  if (found?.state.status === 'removed' || !sees(caller, dataSourceId)) throw dataSourceNotFound();
  return setting;
};

interface SettingSecretDeps {
  readonly execute: Pick<Execute, 'load'>;
  readonly connectors: Connectors;
  readonly secretAttachments: SecretAttachments;
}

interface AttachedSecret {
  /** Call it after the setting refers to the secret: another change may have detached it in between. */
  readonly confirm: () => Promise<void>;
  /** Call it if the setting does not refer to the secret after all. */
  readonly undo: () => Promise<unknown>;
}
const NOTHING: AttachedSecret = { confirm: async () => {}, undo: async () => {} };

/**
 * Attaches the new secret to the data source, before the setting refers to it.
 *
 * @throws DomainError secret_not_found, invalid_request for a secret of another type; key_restricted, because secrets
 * belong to the tenant
 */
const attachSecret = async (
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
  return { confirm, undo: () => detachUnlessReferenced(deps, caller, id, setting, after) };
};

/** Detaches the former secret once the setting no longer refers to it. Returns the position of that event. */
const detachFormerSecret = async (
  deps: SettingSecretDeps,
  caller: Caller,
  id: string,
  before: IngestionSettingState,
  after: IngestionSettingState,
): Promise<Position | null> => {
  if (before.status === 'none' || after.status === 'none') return null;
  const [former, now] = [secretOf(before.parameters), secretOf(after.parameters)];
  return former === null || former === now ? null : detachUnlessReferenced(deps, caller, id, after, former);
};

const attach = (
  { connectors, secretAttachments }: SettingSecretDeps,
  { context }: Caller,
  { parameters, dataSourceId }: DefinedSetting,
  secretId: string,
): Promise<void> =>
  secretAttachments.attach(
    context,
    secretId,
    dataSourceId,
    connectorOf(connectors, parameters.kind).secretTypes ?? [],
  );

/**
 * Detaches a secret unless the setting refers to it by now (returns null). A concurrent change may start to refer to it
 * at this moment: that change confirms its attachment afterwards, and a reference from before the detachment is
 * attached again here.
 */
const detachUnlessReferenced = async (
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
  const position = await deps.secretAttachments.detach(caller.context, secretId, setting.dataSourceId);
  if (await isNamed()) await attach(deps, caller, setting, secretId);
  return position;
};
