import { schemaCompiler } from '../../../adapters/system/json-schema/schema-compiler.ts';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import { createKnowledgeResources } from '../../../application/agents/tools/resources.ts';
import { createKnowledgeTools } from '../../../application/agents/tools/tools.ts';
import { compileRules } from '../../../application/redaction/redactor.ts';
import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';

export type Knowledge = Pick<HttpDeps, 'knowledgeTools' | 'knowledgeResources'>;

/** The tools and resources over these operations; nothing is redacted. */
export const knowledgeOver = ({
  search: { search, query },
  sources,
  ...others
}: Omit<HttpDeps, keyof Knowledge>): Knowledge => {
  const rulesFor = async () => compileRules([], textPatterns);
  return {
    knowledgeTools: createKnowledgeTools(
      { ...others, search, sources, rulesFor, schemas: schemaCompiler },
      'asked',
    ),
    knowledgeResources: createKnowledgeResources({ query, sources, rulesFor }),
  };
};
