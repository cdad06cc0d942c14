import type { CallToolResult } from '@modelcontextprotocol/client';
import type { AgentTool, ToolOutput } from '../../../application/agents/loop/agent-tool.ts';
import type { SchemaCompiler } from '../../../application/ports/compilers.ts';

/** A tool server that the operator allows. */
export interface ToolServerSettings {
  /** Prefix of the names of its tools: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly url: string;
  /** Sent with every request; may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the tools that runs may call; `*` for all tools of the server. */
  readonly tools: readonly string[];
  readonly timeoutMs: number;
  /** Whether a run's `mcp_session_id` is a session of this server. */
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

/** `server__tool`: valid for every model provider, and distinct from the tools of the knowledge base. */
const toolName = (server: string, tool: string): string =>
  `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, MAX_NAME);

/**
 * A tool of a server for a run; null when the operator does not allow it, or when its schema is too long for a model.
 * Its read-only hint is trusted, because the operator has chosen the server.
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

/** Schemas that cannot be checked in bounded time are left to the server, which validates anyway. */
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

/** A link as a line of JSON, so that no name can pass for a text of its own. */
const linkOf = ({ uri, name, title, description, mimeType }: ResourceLink): string =>
  JSON.stringify({ resource: uri, name: title ?? name, description, mimeType });
type ResourceLink = Extract<CallToolResult['content'][number], { type: 'resource_link' }>;

/** The result of a tool as text: its text parts, else its structured content. Resource links are URIs; images and audio are only named. */
export const outputOf = ({ content, structuredContent, isError }: CallToolResult): ToolOutput => {
  const texts = content.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
    if (block.type === 'resource_link') return linkOf(block);
    return `(${block.type}: not shown)`;
  });
  const text = texts.join('\n');
  const isBare = text.trim() === '' && structuredContent !== undefined;
  return { text: isBare ? JSON.stringify(structuredContent) : text, isError: isError === true };
};
