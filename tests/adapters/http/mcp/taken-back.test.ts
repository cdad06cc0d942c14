import { describe, expect, it } from 'vitest';
import { mcpClient, REVISIONS } from '../../../support/mcp.ts';
import { knowledgeOver } from '../fake-knowledge.ts';
import { KEY } from '../fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from '../running-app.ts';

stopServersAfterAll();

/** An application whose answers never end by themselves; `asked` resolves with the signal of each of them. */
const endless = async () => {
  const signals: AbortSignal[] = [];
  let more = Promise.withResolvers<void>();
  const app = await runApp((fakes) =>
    knowledgeOver({
      ...fakes,
      complete: (_caller, _request, signal) => {
        signals.push(signal);
        more.resolve();
        more = Promise.withResolvers();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    }),
  );
  const asked = async (count = 1): Promise<AbortSignal> => {
    while (signals.length < count) await more.promise;
    return signals[count - 1]!;
  };
  return { app, asked };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

const ASK = { name: 'ask', arguments: { question: 'How long is a piece of string?' } };

const post = (app: RunningApp, message: object, session?: string, signal?: AbortSignal) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': KEY,
      'mcp-protocol-version': '2025-11-25',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal !== undefined && { signal }),
  });
/** The name of a session that the service has given. */
const sessionIn = async (app: RunningApp): Promise<string> => {
  const clientInfo = { name: 'old', version: '0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { headers } = await post(app, { id: 0, method: 'initialize', params });
  return headers.get('mcp-session-id') ?? '';
};
const cancelled = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });

describe('a call that nobody waits for any more', () => {
  it.each(REVISIONS)('is given up when its client takes it back: %s', async (_revision, options) => {
    const { app, asked } = await endless();
    const client = await mcpClient(`${app.url}/mcp`, KEY, options);
    const taking = new AbortController();
    const call = client.callTool(ASK, { signal: taking.signal }).catch(() => 'taken back');
    const signal = await asked();
    expect(signal.aborted).toBe(false);
    taking.abort();
    await aborted(signal);
    expect(await call).toBe('taken back');
  });

  it('is given up when its client has gone', async () => {
    const { app, asked } = await endless();
    const leaving = new AbortController();
    const call = { id: 7, method: 'tools/call', params: ASK };
    const answer = post(app, call, await sessionIn(app), leaving.signal)
      .then((response) => response.text())
      .catch(() => 'gone');
    const signal = await asked();
    leaving.abort();
    await aborted(signal);
    expect(await answer).toBe('gone');
  });

  it('is given up when the service stops', async () => {
    const { app, asked } = await endless();
    const answer = post(app, { id: 7, method: 'tools/call', params: ASK })
      .then((response) => response.text())
      .catch(() => 'cut');
    const signal = await asked();
    await app.stop(0);
    await aborted(signal);
    expect(await answer).not.toContain('"result"');
  });

  it('is taken back by its own session alone, and by the number that it has there', async () => {
    const { app, asked } = await endless();
    const call = { id: 7, method: 'tools/call', params: ASK };
    const [session, another] = [await sessionIn(app), await sessionIn(app)];
    const mine = post(app, call, session).then((response) => response.text());
    const first = await asked();
    const others = new AbortController();
    const theirs = post(app, call, another, others.signal).catch(() => 'gone');
    const second = await asked(2);
    for (const [id, by] of [
      [7, undefined],
      [8, session],
      ['7', session],
    ] as const) {
      expect((await post(app, cancelled(id), by)).status).toBe(202);
    }
    expect([first.aborted, second.aborted]).toEqual([false, false]);
    expect((await post(app, cancelled(7), session)).status).toBe(202);
    await aborted(first);
    expect(second.aborted).toBe(false);
    expect(await mine).not.toContain('result');
    others.abort();
    await theirs;
  });
});
