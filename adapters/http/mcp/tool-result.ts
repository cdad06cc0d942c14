import type { KnowledgeTool, ToolResult } from '../../../application/agents/tools/knowledge-tool.ts';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { HttpProblem } from '../problem.ts';

export const toolRecord = (tool: KnowledgeTool): Tool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: tool.parameters as Tool['inputSchema'],
  outputSchema: tool.result,
  annotations: {
    title: tool.title,
    readOnlyHint: tool.readOnly,
    destructiveHint: false,
    idempotentHint: tool.readOnly,
    openWorldHint: false,
  },
});

export const resultRecord = ({ structured, text }: ToolResult): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: structured,
});

/** What went wrong in a call, for the model to read: it can mend its arguments, or say why it cannot go on. */
export const failureRecord = ({ type, message, headers }: HttpProblem): CallToolResult => {
  const wait = headers['retry-after'];
  const text = `${type}: ${message}${wait === undefined ? '' : `. Try again after ${wait} s`}`;
  return { content: [{ type: 'text', text }], isError: true };
};
