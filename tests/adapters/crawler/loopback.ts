import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Server, type Socket, createServer as createSocketServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { type GuardedAgentOptions, createGuardedAgent } from '../../../adapters/crawler/guarded-connector.ts';
import { type PageFetcherOptions, createPageFetcher } from '../../../adapters/crawler/page-fetcher.ts';
import { createPolitenessGate } from '../../../adapters/crawler/politeness.ts';
import type { PageFetcher } from '../../../application/ports/page-fetcher.ts';
import { createEagerTimer } from './fake-timer.ts';

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // peers of these tests break off
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};

export interface Site {
  readonly origin: string;
  readonly host: string;
  /** Paths asked for, in order. */
  readonly asked: string[];
}

/** A site of the running test; closed when the test ends. */
export const startSite = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Site> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked };
};

/** A server below HTTP: what `answer` writes is what the client gets. */
export const startSockets = async (answer: (socket: Socket) => void): Promise<Site> => {
  const asked: string[] = [];
  const server = createSocketServer((socket) => {
    asked.push('connection');
    answer(socket);
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked };
};

export const neverAborted = (): AbortSignal => new AbortController().signal;

export const startAgent = (options: GuardedAgentOptions) => {
  const agent = createGuardedAgent(options);
  onTestFinished(() => agent.destroy());
  return agent;
};

/** A fetcher that may reach `site` alone, and does not wait between tries. */
export const fetcherFor = (
  site: Site,
  options: Partial<PageFetcherOptions> = {},
  agentOptions: GuardedAgentOptions = {},
): PageFetcher => {
  const timer = createEagerTimer();
  return createPageFetcher({
    dispatcher: startAgent({ allowAddresses: [site.host], ...agentOptions }),
    gate: createPolitenessGate({ maxConcurrency: 8, minDelayMs: 0, maxDelayMs: 1000, timer }),
    userAgent: 'knowledgerbot/test (+https://example.com/bot)',
    timer,
    random: () => 0,
    ...options,
  });
};

/** What comes of the first page of a site. */
export const visit = (site: Site, ...options: [Partial<PageFetcherOptions>?, GuardedAgentOptions?]) =>
  fetcherFor(site, ...options).fetchPage({ url: site.origin }, neverAborted());
