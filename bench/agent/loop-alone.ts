// The loop of an agent run as the program has it, with the same tools on offer, and nothing around it.
import { schemaCompiler } from '../../adapters/system/json-schema/schema-compiler.ts';
import { createOpenAiCompatibleModel } from '../../adapters/models/language-model/openai-compatible/language-model.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { after, sleep } from '../../adapters/system/timing.ts';
import { createLocalExecutor } from '../../application/agents/loop/execute-local.ts';
import { createKnowledgeSource } from '../../application/agents/loop/knowledge-source.ts';
import type { RunExecutor, RunToDo } from '../../application/agents/runs/run-executor.ts';
import { createKnowledgeTools } from '../../application/agents/tools/tools.ts';

const ids = createIdSource();

export const executorOver = (baseUrl: string): RunExecutor => {
  const model = createOpenAiCompatibleModel({ baseUrl, model: 'stand-in', contextWindow: 32_000 });
  // No run here calls a tool: they are listed, and sent to the model.
  const unused = {} as Omit<Parameters<typeof createKnowledgeTools>[0], 'schemas'>;
  const tools = createKnowledgeTools({ ...unused, schemas: schemaCompiler }, 'given');
  return createLocalExecutor({
    modelOf: () => ({ model, maxTokens: null, price: null }),
    sources: [createKnowledgeSource(tools)],
    toolTokens: 0,
    limits: { steps: 30, toolCalls: 100, ms: 900_000, tokens: 1_000_000, cost: null },
    schemas: schemaCompiler,
    redactTextFor: async () => (text) => text,
    ids,
    clock: { now: () => Date.now() },
    sleep,
    after,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
};

/** A run of a thread of its own. */
export const runToDo = (content: string): RunToDo => ({
  tenant: 'default',
  threadId: ids.newId(),
  runId: ids.newId(),
  caller: {
    id: 'key',
    tenant: 'default',
    grant: { scopes: ['knowledge:read', 'inference:run'], sourceGroupIds: null },
    context: {},
  } as unknown as RunToDo['caller'],
  onBehalfOf: {},
  workflowType: 'chat',
  provider: null,
  executionMode: 'LOCAL',
  runtimeArn: null,
  mcpSessionId: null,
  input: { messages: [{ role: 'user', content }] },
  history: [],
  begun: async () => {},
  yieldSlot: async () => {},
});
