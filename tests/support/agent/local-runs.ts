import type { RunEvent, RunToDo } from '../../../application/agents/runs/run-executor.ts';
import type { AgentTool, ToolSource } from '../../../application/agents/loop/agent-tool.ts';
import type { RunModel } from '../../../application/agents/loop/ask-model.ts';
import { createLocalExecutor, type LocalDeps } from '../../../application/agents/loop/execute-local.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../application/ports/language-model.ts';
import { schemaCompiler } from '../../../adapters/system/json-schema/schema-compiler.ts';
import { countingIds } from '../ids.ts';
import { LIMITS } from './loops.ts';

/** What a model says and asks for at one step; an error is thrown in its place. */
export type Line =
  | string
  | Error
  | { readonly text?: string; readonly calls?: readonly (readonly [string, unknown])[] }
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

export type ActingModel = LanguageModel & { readonly asked: readonly ModelRequest[] };

/** A model that answers line by line, and at the end always the last. Arguments that are a string go as they are. */
export const actingModel = (lines: readonly Line[], more: Partial<LanguageModel> = {}): ActingModel => {
  const asked: ModelRequest[] = [];
  return {
    name: 'acting',
    contextWindow: 32_000,
    structuredOutput: true,
    toolUse: true,
    asked,
    async *stream(request, signal) {
      signal.throwIfAborted();
      asked.push(request);
      const line = lines[Math.min(asked.length, lines.length) - 1]!;
      if (line instanceof Error) throw line;
      if (typeof line === 'function') return yield* line(request, signal);
      const { text = '', calls = [] } = typeof line === 'string' ? { text: line } : line;
      for (const piece of text.match(/\s*\S+/g) ?? []) yield { kind: 'delta', text: piece };
      for (const [place, [name, given]] of calls.entries()) {
        const json = typeof given === 'string' ? given : JSON.stringify(given);
        yield { kind: 'tool_call', id: `c${place}`, name, arguments: json };
      }
      yield { kind: 'finish', reason: 'stop', usage: { inputTokens: 100, outputTokens: 10 } };
    },
    ...more,
  };
};

export const agentTool = (name: string, more: Partial<AgentTool> = {}): AgentTool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object' },
  readOnly: true,
  timeoutMs: 1_000,
  problemsOf: () => [],
  call: async (given) => ({ text: `${name}: ${JSON.stringify(given)}`, isError: false }),
  ...more,
});

const toolsOf = (...tools: readonly AgentTool[]): ToolSource => ({
  open: async () => ({ tools, notes: [], close: async () => {} }),
});

export const runToDo = (more: Partial<RunToDo> = {}): RunToDo => ({
  tenant: 'default',
  threadId: '01900000-0000-7000-8000-0000000000aa',
  runId: '01900000-0000-7000-8000-0000000000bb',
  caller: {
    id: 'key',
    tenant: 'default',
    grant: { scopes: ['knowledge:read', 'inference:run'], sourceGroupIds: null },
    context: { actor: 'key', correlationId: 'c' },
  } as unknown as RunToDo['caller'],
  yieldSlot: async () => {},
  begun: async () => {},
  onBehalfOf: {},
  workflowType: 'chat',
  provider: null,
  executionMode: 'LOCAL',
  runtimeArn: null,
  mcpSessionId: null,
  input: { messages: [{ role: 'user', content: 'What do falcons hunt?' }] },
  history: [],
  ...more,
});

/** An executor over these, what it has emitted, and how long it wanted to wait. Time passes where `pass` says so. */
export const executing = (
  model: LanguageModel,
  {
    tools = [],
    price = null,
    ...more
  }: Partial<LocalDeps> & { readonly tools?: readonly AgentTool[]; readonly price?: RunModel['price'] } = {},
) => {
  const emitted: RunEvent[] = [];
  const slept: number[] = [];
  const timers = new Set<{ readonly ms: number; readonly abort: AbortController }>();
  let now = 0;
  const executor = createLocalExecutor({
    modelOf: (provider) => (provider === null ? { model, maxTokens: null, price } : undefined),
    sources: [toolsOf(...tools)],
    toolTokens: 0,
    limits: LIMITS,
    schemas: schemaCompiler,
    redactTextFor: async () => (text) => text,
    ids: countingIds(),
    clock: { now: () => now },
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
    after: (ms) => {
      const timer = { ms, abort: new AbortController() };
      timers.add(timer);
      return { signal: timer.abort.signal, clear: () => void timers.delete(timer) };
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...more,
  });
  return {
    executor,
    emitted,
    slept,
    /** Ends the waits of so many milliseconds. */
    runOut: (ms: number): void => {
      for (const timer of timers) if (timer.ms === ms) timer.abort.abort(new Error('late'));
    },
    execute: (run: Partial<RunToDo> = {}, signal = new AbortController().signal) =>
      executor.execute(runToDo(run), async (event) => void emitted.push(event), signal),
  };
};
