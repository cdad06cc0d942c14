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
import { inRequestSpan } from '../../http-client/trace-headers.ts';
import { outputOf, servedTool, type ToolServerSettings } from './tool-server.ts';

/** A server sent more than the limit. */
class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/**
 * The fetch function of the protocol client: uses our own connections, reads at most `maxBytes` of each response, and
 * does not follow redirects, which would take the credentials along.
 */
const createBoundedFetch =
  (dispatcher: Agent, maxBytes: number) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { body, status, statusText, headers } = await inRequestSpan((traceHeaders) => {
      const given = new Headers(init.headers);
      for (const [name, value] of Object.entries(traceHeaders)) given.set(name, value);
      const asked = { ...init, headers: [...given], redirect: 'error', dispatcher };
      return fetchByAgent(url, asked as unknown as Parameters<typeof fetchByAgent>[1]);
    });
    let bytes = 0;
    const counted = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          bytes += piece.length;
          if (bytes > maxBytes) controller.error(new ResponseTooLarge(`an answer of over ${maxBytes} bytes`));
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
  /** Timeout of a connection and the list of tools. */
  readonly connectMs?: number;
}

export interface ConnectedToolSource extends ToolSource {
  /** Aborts all requests. */
  readonly close: () => Promise<void>;
}

const CONNECT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_TOOLS = 100;
/** The revision of the protocol that has sessions. */
const WITH_SESSIONS = '2025-11-25';

/**
 * The tools of the operator's servers, over the Model Context Protocol with streamable HTTP, in the newest revision or
 * an older one that the server supports. Each run has its own connections; an unavailable server becomes a note.
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
  // Loaded only if such servers are configured, so that other starts need not wait for it.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { ...server.headers } },
    fetch: send,
    ...(session !== null && { sessionId: session, protocolVersion: WITH_SESSIONS }),
  });
  const client = new Client(
    { name: 'knowledger', version: '1' },
    {
      // Only older revisions have sessions: an existing session continues without a new negotiation.
      ...(session === null && { versionNegotiation: { mode: 'auto' } }),
      // Results are shown to a model in any form; untrusted schemas are not run.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const close = (): Promise<void> => closeQuietly(client, transport, session);
  try {
    const bounded = { timeout: connectMs, signal };
    await withTimeout(client.connect(transport, bounded), connectMs, signal);
    // In a resumed session this client has not learned the server's capabilities, and would request nothing.
    const listing =
      session === null
        ? client.listTools(undefined, bounded)
        : client.request({ method: 'tools/list' }, bounded);
    const { tools } = await withTimeout(listing, connectMs, signal);
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

/** Leaves a session open that was given to the run. */
const closeQuietly = async (
  client: Client,
  transport: StreamableHTTPClientTransport,
  session: string | null,
): Promise<void> => {
  try {
    if (session === null && transport.sessionId !== undefined)
      await withTimeout(transport.terminateSession(), CLOSE_MS, new AbortController().signal);
  } catch {
    // the connection ends by itself
  }
  await client.close().catch(() => {});
};
const CLOSE_MS = 1_000;

/** The client's own timeouts do not cover everything that it waits for. */
const withTimeout = async <T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> => {
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
