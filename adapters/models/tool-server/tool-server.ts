import type { CallToolResult } from '@modelcontextprotocol/client';
import type { AgentTool, ToolOutput } from '../../../application/agents/loop/agent-tool.ts';
import type { SchemaCompiler } from '../../../application/ports/compilers.ts';

/** A server of tools that the operator allows. */
export interface ToolServerSettings {
  /** What the names of its tools begin with: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly url: string;
  /** Sent with every request; secrets among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the tools that runs may call; `*`: all that the server has. */
  readonly tools: readonly string[];
  readonly timeoutMs: number;
  /** Whether a run's `mcp_session_id` names a session of this server. */
  readonly takesSession: boolean;
}

/** A tool as its server describes it. */
export interface ServedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_000;
const MAX_SCHEMA = 20_000;

/** `server__tool`: what every provider of models takes, and no name of a tool of the knowledge base. */
const toolName = (server: string, tool: string): string =>
  `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, MAX_NAME);

/**
 * A tool of a server for a run; null for one that the operator does not allow, or whose schema is longer than a model is
 * shown. That it changes nothing is believed: the operator has chosen the server.
 */
export const servedTool = (
  { name: server, tools, timeoutMs }: ToolServerSettings,
  { name, description = '', inputSchema, annotations }: ServedTool,
  call: AgentTool['call'],
  schemas: SchemaCompiler,
): AgentTool | null => {
  if (!tools.includes('*') && !tools.includes(name)) return null;
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA) return null;
  const told = description.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION).toWellFormed();
  return {
    name: toolName(server, name),
    description: `A tool of the server ${server}: ${told}`,
    parameters: inputSchema,
    readOnly: annotations?.readOnlyHint === true,
    timeoutMs,
    problemsOf: problemsBy(inputSchema, schemas),
    call,
  };
};

/** Schemas that cannot be checked in bounded time are left to the server, which checks them anyway. */
const problemsBy = (schema: ServedTool['inputSchema'], schemas: SchemaCompiler): AgentTool['problemsOf'] => {
  let compiled: AgentTool['problemsOf'] | undefined;
  return (given) => {
    try {
      compiled ??= schemas.compile(schema);
    } catch {
      compiled = () => [];
    }
    return compiled(given);
  };
};

/** What a tool has answered, as text: its texts, and the structure where it has none. Pictures and sounds are named. */
export const outputOf = ({ content, structuredContent, isError }: CallToolResult): ToolOutput => {
  const texts = content.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
    return `(${block.type}: not shown)`;
  });
  const text = texts.join('\n');
  const isBare = text.trim() === '' && structuredContent !== undefined;
  return { text: isBare ? JSON.stringify(structuredContent) : text, isError: isError === true };
};
