import { passageLine } from '../../../domain/agent-loop/passages.ts';
import type { KnowledgeTool, ToolCaller, ToolResult } from '../tools/knowledge-tool.ts';
import type { KnowledgeTools } from '../tools/tools.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { AgentTool, Numbering, ToolSource } from './agent-tool.ts';

/** How long a call may take: `ask` waits for a model. */
const TIMEOUT_MS = { ask: 180_000, others: 30_000 };

/**
 * The knowledge base as tools of a run: what the run's key may read, as the run's principal, by its policy. Arguments
 * name no other principal.
 */
export const createKnowledgeSource = (tools: KnowledgeTools): ToolSource => ({
  open: async ({ caller, onBehalfOf }, numbering) => ({
    tools: tools(caller.grant).map((tool) => toolOf(tool, { caller, onBehalfOf }, numbering)),
    notes: [],
    close: async () => {},
  }),
});

const toolOf = (tool: KnowledgeTool, by: ToolCaller, numbering: Numbering): AgentTool => ({
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  readOnly: tool.readOnly,
  timeoutMs: tool.name === 'ask' ? TIMEOUT_MS.ask : TIMEOUT_MS.others,
  // The tool checks them itself, and says what to do.
  problemsOf: () => [],
  call: async (given, signal) => ({
    text: textOf(tool.name, await tool.call(by, given, { signal }), numbering),
    isError: false,
  }),
});

/** Passages on lines of their own, by the numbers of the run; an answer cites by the same. */
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

/** `[1]` of an answer is its first content. */
const renumbered = (answer: string, contents: readonly ContentRecord[], numbering: Numbering): string =>
  answer.replaceAll(/\[(\d{1,3})\]/g, (mark, digits: string) => {
    const content = contents[Number(digits) - 1];
    return content === undefined ? mark : `[${numbering.numberOf(content.id)}]`;
  });
