import { ContainerModule } from 'inversify';
import { isTransient } from '../../adapters/postgres/transient.ts';
import { every, sleep, turn } from '../../adapters/system/timing.ts';
import { createRulesFor } from '../../application/agents/runs/bodies.ts';
import { createCancelRun } from '../../application/agents/runs/cancel-run.ts';
import { createCreateRun } from '../../application/agents/runs/create-run.ts';
import { createDeleteThread } from '../../application/agents/runs/delete-thread.ts';
import { createAgentLists } from '../../application/agents/runs/lists.ts';
import { createReadRun } from '../../application/agents/runs/read-run.ts';
import { createRunEvents } from '../../application/agents/runs/run-events.ts';
import { createRetryingVault } from '../../application/agents/runs/retrying-vault.ts';
import { createRunHandler } from '../../application/agents/runs/run-handler.ts';
import { createIsTransient } from '../../application/jobs/transient.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Beside the time in which requests are still taken: what a worker has before the process leaves by force. */
const GRACE_MS = 4_000;
/** Of a model's window, what the history of a thread may take. */
const CONTEXT_SHARE = 0.5;

/** Threads of agents: operations on them, and the handler that executes their runs. */
export const agentsModule = ({ drainMs, roles }: Pick<Config, 'drainMs' | 'roles'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(T.RunExecutors, ({ local, managed }) => ({ LOCAL: local, MANAGED_RUNTIME: managed }), {
      local: T.LocalExecutor,
      managed: T.ManagedExecutor,
    });
    provide(T.AgentRules, ({ policies }) => createRulesFor(policies), { policies: T.PoliciesInForce });
    const texts = { execute: T.Execute, vault: T.Vault } as const;
    const bodies = { vault: T.Vault, hash: T.Hash, clock: T.Clock, rulesFor: T.AgentRules } as const;
    provide(T.ReadRun, createReadRun, texts);
    provide(T.CreateRun, createCreateRun, {
      ...bodies,
      execute: T.Execute,
      ids: T.IdSource,
      executors: T.RunExecutors,
    });
    provide(
      T.CancelRun,
      createCancelRun,
      { ...texts, clock: T.Clock, feed: T.EventFeed },
      { after: (ms: number) => AbortSignal.timeout(ms) },
    );
    provide(T.DeleteThread, createDeleteThread, {
      ...texts,
      clock: T.Clock,
      marks: T.RowMarks,
      log: T.Logger,
    });
    provide(T.AgentLists, createAgentLists, { ...texts, view: T.AgentView });
    provide(T.RunEvents, createRunEvents, {
      ...texts,
      feed: T.EventFeed,
      codec: T.EventCodec,
      view: T.AgentView,
    });
    provide(
      T.AgentRuns,
      ({ offer, stopping: signal, vault, ...deps }) => {
        const failed = (error: unknown): void =>
          deps.log.warn('text of a run could not be kept', { error: (error as Error).message });
        const { log } = deps;
        return createRunHandler({
          ...deps,
          vault: createRetryingVault({
            vault,
            isTransient: createIsTransient(isTransient),
            sleep,
            log,
            signal,
          }),
          contextTokens: Math.floor(offer.models[0].contextWindow * CONTEXT_SHARE),
          every: (ms, run) => every(ms, run, failed),
          turn,
          graceMs: GRACE_MS + (roles.has('api') ? drainMs : 0),
        });
      },
      {
        ...bodies,
        execute: T.RetryingExecute,
        executeAtOnce: T.Execute,
        executors: T.RunExecutors,
        rows: T.AgentRunRows,
        ids: T.IdSource,
        offer: T.ModelOffer,
        stopping: T.Stopping,
        tracing: T.Tracing,
        log: T.Logger,
        owner: T.Owner,
      },
    );
  });
