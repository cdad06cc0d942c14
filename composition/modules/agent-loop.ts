import { ContainerModule } from 'inversify';
import { schemaCompiler } from '../../adapters/system/json-schema/schema-compiler.ts';
import { createToolServers } from '../../adapters/models/tool-server/tool-source.ts';
import { after, sleep } from '../../adapters/system/timing.ts';
import { createLocalExecutor } from '../../application/agents/loop/execute-local.ts';
import { createKnowledgeSource } from '../../application/agents/loop/knowledge-source.ts';
import { createKnowledgeTools } from '../../application/agents/tools/tools.ts';
import { redact } from '../../application/redaction/redactor.ts';
import type { Config } from '../config.ts';
import { createRunModels } from '../run-models.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** How runs of agents are executed. */
export const agentLoopModule = ({ agents }: Pick<Config, 'agents'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(T.RunModels, ({ offer }) => createRunModels(agents, offer), {
      offer: T.ModelOffer,
    }).onDeactivation((models) => models.close());
    provide(
      T.ToolServers,
      createToolServers,
      { log: T.Logger },
      { servers: agents.toolServers, schemas: schemaCompiler },
    ).onDeactivation((servers) => servers.close());
    provide(
      T.LocalExecutor,
      ({
        models,
        operations,
        policies,
        sources,
        sourceGroups,
        dataSources,
        complete,
        ids,
        servers,
        ...deps
      }) => {
        const rulesFor = async (tenant: string) => (await policies.at(tenant, 'agent')).compiled;
        const { search } = operations;
        const own = { search, sources, sourceGroups, dataSources, complete, rulesFor, ids };
        // On whose behalf a run reads is settled by the request that asked for it.
        const tools = createKnowledgeTools({ ...own, schemas: schemaCompiler }, 'given');
        return createLocalExecutor({
          ...deps,
          ids,
          modelOf: models.modelOf,
          sources: [createKnowledgeSource(tools), servers],
          limits: agents.limits,
          hidingFor: async (tenant) => {
            const rules = await rulesFor(tenant);
            return (text) => redact(text, rules).text;
          },
        });
      },
      {
        models: T.RunModels,
        servers: T.ToolServers,
        operations: T.SearchOperations,
        sources: T.SourceOperations,
        sourceGroups: T.SourceGroupOperations,
        dataSources: T.DataSourceOperations,
        complete: T.Complete,
        policies: T.PoliciesInForce,
        ids: T.IdSource,
        clock: T.Clock,
        log: T.Logger,
      },
      { schemas: schemaCompiler, sleep, after },
    );
  });
