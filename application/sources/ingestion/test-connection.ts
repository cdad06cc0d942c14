import type { Parameters } from '../../../domain/ingestion-setting/index.ts';
import { secretOf } from '../../../domain/ingestion-setting/index.ts';
import { secret } from '../../../domain/secret/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import type { Clock } from '../../ports/identity.ts';
import { type Connector, type ConnectionTest, connectorOf, type Connectors } from './connector.ts';
import { mustNameSecret } from './create-data-source.ts';

export interface TestConnectionDeps {
  readonly connectors: Connectors;
  readonly execute: Pick<Execute, 'load'>;
  readonly clock: Clock;
  /** Starts a time limit for a test. */
  readonly limit: () => AbortSignal;
}

/**
 * Tries the address and the secret of a data source that does not exist yet, as its first job would begin, and stores
 * nothing.
 *
 * @throws DomainError as the creation would for the same parameters; the reason of `gone`
 */
export const createTestConnection =
  (deps: TestConnectionDeps) =>
  async (caller: Caller, parameters: Parameters, gone: AbortSignal): Promise<ConnectionTest> => {
    mustBeUnrestricted(caller, 'testing a data source');
    const connector = connectorOf(deps.connectors, parameters.kind);
    if (connector.test === undefined)
      throw new DomainError('invalid_request', 'this kind of data source has nothing to be tested');
    connector.check(parameters);
    mustNameSecret(connector, parameters);
    await mustFitSecret(deps, caller, connector, parameters);
    const late = deps.limit();
    try {
      return await connector.test(parameters, caller.tenant, AbortSignal.any([gone, late]));
    } catch (error) {
      gone.throwIfAborted();
      if (!late.aborted) throw error;
      const message = 'the provider did not answer in the time that a test has; a job has longer';
      return { kind: 'transient', error: { title: 'Timed out', message } };
    }
  };
export type TestConnection = ReturnType<typeof createTestConnection>;

/** Refuses what attaching the secret would refuse. */
const mustFitSecret = async (
  { execute, clock }: TestConnectionDeps,
  { tenant }: Caller,
  { secretTypes = [] }: Connector,
  parameters: Parameters,
): Promise<void> => {
  const secretId = secretOf(parameters);
  if (secretId === null) return;
  const found = await execute.load(secret, secretStream(secretId), tenant);
  const attach = { type: 'attach', dataSourceId: '', secretTypes, at: clock.now() } as const;
  secret.decide(attach, found?.state ?? secret.initial);
};
