import { createAgentCore } from '../../adapters/models/agent-core/agent-runtime.ts';
import { createToolServers } from '../../adapters/models/tool-server/tool-source.ts';
import { isTransient } from '../../adapters/postgres/connection.ts';
import { createAgentView } from '../../adapters/postgres/views/agent-view.ts';
import { createAgentRunRows } from '../../adapters/postgres/work/agent-work.ts';
import { schemaCompiler } from '../../adapters/system/json-schema/schema-compiler.ts';
import { after, sleep, turn } from '../../adapters/system/timing.ts';
import { createLocalExecutor } from '../../application/agents/loop/execute-local.ts';
import {
  createKnowledgeSource,
  tokensOfDefinitions,
} from '../../application/agents/loop/knowledge-source.ts';
import { createCancelRun, createDeleteThread } from '../../application/agents/runs/cancel-run.ts';
import { createCreateRun } from '../../application/agents/runs/create-run.ts';
import { createAgentLists } from '../../application/agents/runs/lists.ts';
import { createReadRun } from '../../application/agents/runs/read-run.ts';
import { createRetryingVault } from '../../application/agents/runs/retrying-vault.ts';
import { createRunEvents } from '../../application/agents/runs/run-events.ts';
import { createRunHandler } from '../../application/agents/runs/run-handler.ts';
import type { RunExecutor } from '../../application/agents/runs/run-executor.ts';
import type { RunExecutors } from '../../application/agents/runs/run-request.ts';
import { createManagedExecutor } from '../../application/agents/runtime/execute-managed.ts';
import { createKnowledgeResources } from '../../application/agents/tools/resources.ts';
import { createKnowledgeTools } from '../../application/agents/tools/tools.ts';
import { createIsTransient } from '../../application/jobs/transient.ts';
import { redact } from '../../application/redaction/redactor.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { createRunModels } from '../language-models.ts';
import { type Given, provide, token } from '../wiring.ts';
import { ANSWERS, LANGUAGE_MODELS } from './answers.ts';
import { REDACTION } from './redaction.ts';
import { SEARCH } from './search.ts';
import { SOURCES } from './sources.ts';
import { CORE } from './core.ts';

/** Time for workers to finish before the process exits by force, in addition to the time for draining requests. */
const GRACE_MS = 4_000;
/** Share of the default model's window for the history of a thread whose run a runtime executes. */
const CONTEXT_SHARE = 0.5;

const NEEDS = {
  core: CORE,
  redaction: REDACTION,
  search: SEARCH,
  sources: SOURCES,
  answers: ANSWERS,
  languageModels: LANGUAGE_MODELS,
};

/** Threads of agents and their runs, their execution, and the tools of the knowledge base for agents. */
const openAgents = ({
  core,
  redaction: { rulesForAgents: rulesFor },
  search,
  sources,
  answers,
  languageModels: { offer },
}: Given<typeof NEEDS>) => {
  const { log, config } = core;
  const { agents, drainMs, roles } = config;
  const { vault } = core;
  const timing = { sleep, after };
  const knowledge = {
    ...search.operations.search,
    ...sources.operations,
    ...answers.operations,
    ids: core.ids,
    rulesFor,
    schemas: schemaCompiler,
  };
  const redactTextFor = async (tenant: string) => {
    const rules = await rulesFor(tenant);
    return (text: string) => redact(text, rules).text;
  };
  const models = createRunModels(agents, offer);
  const toolServers = createToolServers({ log, servers: agents.toolServers, schemas: schemaCompiler });
  const knowledgeTools = createKnowledgeTools(knowledge, 'given');
  const local = createLocalExecutor({
    ...core,
    ...timing,
    modelOf: models.modelOf,
    // The request that started a run settles on whose behalf the run reads.
    sources: [createKnowledgeSource(knowledgeTools), toolServers],
    toolTokens: tokensOfDefinitions(knowledgeTools),
    limits: agents.limits,
    redactTextFor,
    schemas: schemaCompiler,
  });
  const runtime = createAgentCore(agents.runtime?.client);
  const managed =
    agents.runtime === null
      ? noManagedRuntime
      : createManagedExecutor({
          ...core,
          ...timing,
          runtime,
          allowed: new Set(agents.runtime.arns),
          limits: { ms: agents.limits.ms, idleTimeoutMs: agents.runtime.idleTimeoutMs },
          redactTextFor,
        });
  const executors: RunExecutors = { LOCAL: local, MANAGED_RUNTIME: managed };
  const common = { ...core, rulesFor, executors, view: createAgentView(core.db) };
  const transient = createIsTransient(isTransient);
  return {
    operations: {
      createRun: createCreateRun(common),
      cancelRun: createCancelRun({ ...common, after: (ms) => AbortSignal.timeout(ms) }),
      readRun: createReadRun(common),
      deleteThread: createDeleteThread(common),
      agentLists: createAgentLists(common),
      runEvents: createRunEvents(common),
      knowledgeTools: createKnowledgeTools(knowledge, 'asked'),
      knowledgeResources: createKnowledgeResources(knowledge),
    },
    runHandler: createRunHandler({
      ...common,
      execute: core.retryingExecute,
      executeAtOnce: core.execute,
      rows: createAgentRunRows(core.db),
      vault: createRetryingVault({ vault, isTransient: transient, sleep, log, signal: core.stopping }),
      contextTokens: Math.floor(offer.models[0].contextWindow * CONTEXT_SHARE),
      every: core.everyLogged('text of a run could not be kept'),
      turn,
      graceMs: GRACE_MS + (roles.has('api') ? drainMs : 0),
    }),
    close: async () => {
      await Promise.all([models.close(), toolServers.close(), runtime.close()]);
    },
  };
};

/** Stands in for an executor when the operator allows no runtime: its error says what to do. */
const noManagedRuntime: RunExecutor = {
  check: () => {
    throw notSetUp();
  },
  execute: () => Promise.reject(notSetUp()),
};

const notSetUp = (): DomainError =>
  new DomainError(
    'not_configured',
    'execution_mode MANAGED_RUNTIME is not set up here: the operator lists the runtimes that may be asked in KNOWLEDGER_AGENT_RUNTIME_ARNS',
  );

export const AGENTS = token<ReturnType<typeof openAgents>>('agents');
export const agentsModule = provide(AGENTS, NEEDS, openAgents);
