import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent, fetch as fetchByAgent } from 'undici';
import type {
  AgentTool,
  OpenedTools,
  ToolNote,
  ToolSource,
} from '../../../application/agents/loop/agent-tool.ts';
import type { Logger } from '../../../application/ports/logger.ts';
import type { SchemaCompiler } from '../../../application/ports/compilers.ts';
import { outputOf, servedTool, type ToolServerSettings } from './tool-server.ts';

/** A server sent more than is read. */
class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/**
 * What the client of the protocol sends its requests with: over connections of our own, with at most `maxBytes` of each
 * answer, and without redirects, which would take the credentials along.
 */
const createBoundedFetch =
  (dispatcher: Agent, maxBytes: number) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const asked = { ...init, redirect: 'error', dispatcher } as unknown as Parameters<typeof fetchByAgent>[1];
    const { body, status, statusText, headers } = await fetchByAgent(url, asked);
    let bytes = 0;
    const counted = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          bytes += piece.length;
          if (bytes > maxBytes) controller.error(new TooMuch(`an answer of over ${maxBytes} bytes`));
          else controller.enqueue(piece);
        },
      }),
    );
    return new Response((counted ?? null) as ReadableStream | null, {
      status,
      statusText,
      headers: [...headers],
    });
  };

export interface ToolServersOptions {
  readonly servers: readonly ToolServerSettings[];
  readonly schemas: SchemaCompiler;
  readonly log: Logger;
  /** For a connection and the list of tools. */
  readonly connectMs?: number;
}

export interface ConnectedToolSource extends ToolSource {
  /** Ends all requests. */
  readonly close: () => Promise<void>;
}

const CONNECT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_TOOLS = 100;
/** The revision of the protocol that has sessions. */
const WITH_SESSIONS = '2025-11-25';

/**
 * Tools of the servers that the operator names, by the Model Context Protocol over streamable HTTP, in its newest
 * revision or an older one, as the server speaks it. A run has connections of its own; a server that is away is a note.
 */
export const createToolServers = (options: ToolServersOptions): ConnectedToolSource => {
  const { servers, log, connectMs = CONNECT_MS } = options;
  const agent = new Agent({ connect: { timeout: connectMs }, pipelining: 1, allowH2: false });
  const send = createBoundedFetch(agent, MAX_BYTES);
  return {
    open: async ({ mcpSessionId, begun }, _numbering, signal) => {
      if (servers.length > 0) await begun();
      const opened = await Promise.all(
        servers.map(async (server) => {
          const session = server.takesSession ? mcpSessionId : null;
          try {
            return await openServer(server, { ...options, connectMs, send, session }, signal);
          } catch (error) {
            signal.throwIfAborted();
            log.warn('a tool server cannot be reached', {
              server: server.name,
              error: (error as Error).name,
            });
            return unreachable(server);
          }
        }),
      );
      return {
        tools: opened.flatMap(({ tools }) => tools),
        notes: opened.flatMap(({ notes }) => notes),
        close: async () => void (await Promise.all(opened.map((one) => one.close()))),
      };
    },
    close: () => agent.destroy(),
  };
};

const unreachable = ({ name }: ToolServerSettings): OpenedTools => {
  const message = `The tools of the server ${name} are not there: it does not answer as it should.`;
  const note: ToolNote = { code: 'tool_server_unavailable', message };
  return { tools: [], notes: [note], close: async () => {} };
};

interface Opening extends ToolServersOptions {
  readonly connectMs: number;
  readonly send: ReturnType<typeof createBoundedFetch>;
  readonly session: string | null;
}

const openServer = async (
  server: ToolServerSettings,
  { schemas, connectMs, send, session }: Opening,
  signal: AbortSignal,
): Promise<OpenedTools> => {
  // Only where there are such servers: a start should not wait for it.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { ...server.headers } },
    fetch: send,
    ...(session !== null && { sessionId: session, protocolVersion: WITH_SESSIONS }),
  });
  const client = new Client(
    { name: 'knowledger', version: '1' },
    {
      // A session is of an older revision: it goes on, and is not negotiated again.
      ...(session === null && { versionNegotiation: { mode: 'auto' } }),
      // Results are shown to a model, whatever their form; schemas of strangers are not run.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const close = (): Promise<void> => closeQuietly(client, transport, session);
  try {
    const bounded = { timeout: connectMs, signal };
    await within(client.connect(transport, bounded), connectMs, signal);
    // A session that goes on has told nobody here what its server can do: the client would ask for nothing.
    const listing =
      session === null
        ? client.listTools(undefined, bounded)
        : client.request({ method: 'tools/list' }, bounded);
    const { tools } = await within(listing, connectMs, signal);
    const callOf =
      (name: string): AgentTool['call'] =>
      async (given, ends) => {
        const limits = { timeout: server.timeoutMs, signal: ends };
        return outputOf(await client.callTool({ name, arguments: { ...given } }, limits));
      };
    const served = tools.slice(0, MAX_TOOLS).flatMap((tool) => {
      const made = servedTool(server, tool, callOf(tool.name), schemas);
      return made === null ? [] : [made];
    });
    return { tools: served, notes: [], close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** A session that the run was given is left open. */
const closeQuietly = async (
  client: Client,
  transport: StreamableHTTPClientTransport,
  session: string | null,
): Promise<void> => {
  try {
    if (session === null && transport.sessionId !== undefined)
      await within(transport.terminateSession(), CLOSE_MS, new AbortController().signal);
  } catch {
    // It ends by itself.
  }
  await client.close().catch(() => {});
};
const CLOSE_MS = 1_000;

/** The client's own time limits do not hold for everything that it waits for. */
const within = async <T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> => {
  const late = AbortSignal.timeout(ms);
  const ends = AbortSignal.any([signal, late]);
  const { promise, reject } = Promise.withResolvers<never>();
  const gone = (): void => reject(ends.reason as Error);
  ends.addEventListener('abort', gone, { once: true });
  if (ends.aborted) gone();
  try {
    return await Promise.race([work, promise]);
  } finally {
    ends.removeEventListener('abort', gone);
    work.catch(() => {});
    promise.catch(() => {});
  }
};
