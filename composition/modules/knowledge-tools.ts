import { ContainerModule } from 'inversify';
import { schemaCompiler } from '../../adapters/system/json-schema/schema-compiler.ts';
import { createKnowledgeResources } from '../../application/agents/tools/resources.ts';
import { createKnowledgeTools } from '../../application/agents/tools/tools.ts';
import type { PoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** What agents may do with the knowledge base. */
export const knowledgeToolsModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  const read = { operations: T.SearchOperations, sources: T.SourceOperations, policies: T.PoliciesInForce };
  provide(
    T.KnowledgeTools,
    ({ operations: { search }, policies, ...deps }) => {
      const rulesFor = rulesForAgents(policies);
      return createKnowledgeTools({ ...deps, search, rulesFor, schemas: schemaCompiler }, 'asked');
    },
    {
      ...read,
      sourceGroups: T.SourceGroupOperations,
      dataSources: T.DataSourceOperations,
      complete: T.Complete,
      ids: T.IdSource,
    },
  );
  provide(
    T.KnowledgeResources,
    ({ operations: { query }, sources, policies }) =>
      createKnowledgeResources({ query, sources, rulesFor: rulesForAgents(policies) }),
    read,
  );
});

const rulesForAgents = (policies: PoliciesInForce) => async (tenant: string) =>
  (await policies.at(tenant, 'agent')).compiled;
