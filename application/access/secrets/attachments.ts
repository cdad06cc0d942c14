import { dataSource } from '../../../domain/data-source/index.ts';
import { ingestionSetting, secretOf } from '../../../domain/ingestion-setting/index.ts';
import { secret, type SecretType, type SecretUse } from '../../../domain/secret/decider.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Position } from '../../ports/event-store.ts';
import type { Clock } from '../../ports/identity.ts';
import { dataSourceStream, ingestionSettingStream, secretStream } from '../../event-sourcing/streams.ts';

export interface SecretAttachmentsDeps {
  readonly execute: Execute;
  readonly clock: Clock;
}

/**
 * Records in the stream of a secret which data sources use it, so that a deletion is decided at one revision that
 * includes all uses. A data source is attached before its setting names the secret, and detached afterwards.
 */
export interface SecretAttachments {
  /** @throws DomainError secret_not_found; invalid_request for a type that is not in `secretTypes` */
  readonly attach: (
    context: CommandContext,
    secretId: string,
    dataSourceId: string,
    secretTypes: readonly SecretType[],
  ) => Promise<void>;
  /**
   * Does nothing if the data source is not attached. Returns the position that a reader must reach to see the change.
   */
  readonly detach: (context: CommandContext, secretId: string, dataSourceId: string) => Promise<Position>;
  /** Detaches data sources that a crash has left attached; stops at the first one that does use the secret. */
  readonly detachStale: (context: CommandContext, secretId: string) => Promise<void>;
}

export const createSecretAttachments = (deps: SecretAttachmentsDeps): SecretAttachments => {
  const { execute, clock } = deps;
  const detach: SecretAttachments['detach'] = async (context, secretId, dataSourceId) => {
    const command = { type: 'detach', dataSourceId, at: clock.now() } as const;
    return (await execute(secret, secretStream(secretId), command, context)).position;
  };
  return {
    attach: async (context, secretId, dataSourceId, secretTypes) => {
      const command = { type: 'attach', dataSourceId, secretTypes, at: clock.now() } as const;
      await execute(secret, secretStream(secretId), command, context);
    },
    detach,
    detachStale: async (context, secretId) => {
      const found = await execute.load(secret, secretStream(secretId), context.tenant);
      if (found === null || found.state.status !== 'active') return;
      for (const use of found.state.uses.values()) {
        if (await isInUse(deps, context.tenant, secretId, use)) return;
        await detach(context, secretId, use.dataSourceId);
      }
    },
  };
};

/** Grace period in which a request that has attached a data source may still be creating it. */
const CREATION_MS = 3_600_000;

const isInUse = async (
  { execute, clock }: SecretAttachmentsDeps,
  tenant: string,
  secretId: string,
  { dataSourceId, at }: SecretUse,
): Promise<boolean> => {
  const found = await execute.load(dataSource, dataSourceStream(dataSourceId), tenant);
  if (found === null || found.state.status === 'none') return at > clock.now() - CREATION_MS;
  if (ENDED.has(found.state.status)) return false;
  const stream = ingestionSettingStream(found.state.ingestionSettingId);
  const setting = (await execute.load(ingestionSetting, stream, tenant))?.state;
  if (setting?.status !== 'defined') return false;
  // A change of the setting attaches the secret before the setting names it.
  return secretOf(setting.parameters) === secretId || at > clock.now() - CREATION_MS;
};

const ENDED: ReadonlySet<string> = new Set(['deleting', 'delete_job_failure', 'removed']);
