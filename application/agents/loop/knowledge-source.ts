import { SCOPES } from '../../../domain/api-key/decider.ts';
import { passageLine } from '../../../domain/agent-loop/passages.ts';
import type { KnowledgeTool, ToolCaller, ToolResult } from '../tools/knowledge-tool.ts';
import type { KnowledgeTools } from '../tools/tools.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import { estimateTokens } from '../../answers/completions/prompt.ts';
import type { AgentTool, Numbering, ToolSource } from './agent-tool.ts';

/** Timeout of a call. `ask` is slower because it waits for a model. */
const TIMEOUT_MS = { ask: 180_000, others: 30_000 };

/**
 * Offers the knowledge base as tools of a run. They read with the rights of the run's key, on behalf of the run's
 * principal and by its policy; arguments cannot name another principal.
 */
export const createKnowledgeSource = (tools: KnowledgeTools): ToolSource => ({
  open: async ({ caller, onBehalfOf }, numbering) => ({
    tools: tools(caller.grant).map((tool) => toolOf(tool, { caller, onBehalfOf }, numbering)),
    notes: [],
    close: async () => {},
  }),
});

/** How many tokens the definitions of all tools take in a request. */
export const tokensOfDefinitions = (tools: KnowledgeTools): number => {
  const all = tools({ scopes: SCOPES, sourceGroupIds: null });
  return estimateTokens(
    JSON.stringify(all.map(({ name, description, parameters }) => ({ name, description, parameters }))),
  );
};

const toolOf = (tool: KnowledgeTool, by: ToolCaller, numbering: Numbering): AgentTool => ({
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  readOnly: tool.readOnly,
  timeoutMs: tool.name === 'ask' ? TIMEOUT_MS.ask : TIMEOUT_MS.others,
  // The tool validates its arguments itself and explains how to correct them.
  problemsOf: () => [],
  call: async (given, signal) => ({
    text: textOf(tool.name, await tool.call(by, given, { signal }), numbering),
    isError: false,
  }),
});

/** Writes each passage on its own line with its number in the run; an answer cites passages by the same numbers. */
const textOf = (name: string, { text, contents, structured }: ToolResult, numbering: Numbering): string => {
  if (contents.length === 0) return text;
  const lines = contents.map((content) => passageLine(passageOf(content, numbering)));
  if (name !== 'ask') return lines.join('\n');
  const answer = renumbered(String(structured['answer']), contents, numbering);
  return [JSON.stringify({ answer }), ...lines].join('\n');
};

const passageOf = (content: ContentRecord, numbering: Numbering) => ({
  number: numbering.numberOf(content.id),
  contentId: content.id,
  sourceId: content.sourceId,
  title: content.title,
  url: content.url,
  text: content.text,
});

/** In an answer, `[1]` cites its first content; replaces such marks by the numbers of the run. */
const renumbered = (answer: string, contents: readonly ContentRecord[], numbering: Numbering): string =>
  answer.replaceAll(/\[(\d{1,3})\]/g, (mark, digits: string) => {
    const content = contents[Number(digits) - 1];
    return content === undefined ? mark : `[${numbering.numberOf(content.id)}]`;
  });
