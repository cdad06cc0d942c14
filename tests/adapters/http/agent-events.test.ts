import { HttpAgent } from '@ag-ui/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agUiStream } from '../../../adapters/http/agents/agent-runs.ts';
import type { ServerSentEvent } from '../../../adapters/http/stream-response.ts';
import type { RunEventView } from '../../../application/agents/runs/run-event-view.ts';
import { type AgentRunEvent, type Emission, RUN_STATUS_AFTER } from '../../../domain/agent-run/index.ts';
import { ID } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const RUN = { runId: 'run', threadId: 'thread', parentRunId: null, traceId: null };
const told = (event: Partial<AgentRunEvent>, revision: number, body: RunEventView['body']): RunEventView => {
  const whole = event as AgentRunEvent;
  const status = RUN_STATUS_AFTER[whole.type];
  const position = String(revision + 1);
  return { ...RUN, revision: BigInt(revision), position, event: whole, status, data: {}, body };
};

type Emitted = readonly [Emission, RunEventView['body']];
const said = fc.string({ minLength: 1 });
/** What a run may tell in one step: the model thinks and speaks, calls tools, some of which never answer. */
const stepOf = (step: number) =>
  fc
    .record({
      pieces: fc.array(fc.record({ kind: fc.constantFrom('text', 'reasoning'), delta: said }), {
        maxLength: 6,
      }),
      content: fc.string(),
      calls: fc.nat(2),
    })
    .map(({ pieces, content, calls }): readonly Emitted[] => [
      [{ kind: 'step', step }, null],
      [{ kind: 'model_called', step, model: 'm', messageCount: 1 }, { request: {} }],
      ...pieces.map(({ kind, delta }): Emitted => [{ kind, step }, { delta }]),
      [
        { kind: 'model_answered', step, model: 'm', usage: null, finishReason: 'stop' },
        { message: { role: 'assistant', content: answerIn(pieces) || content } },
      ],
      ...Array.from({ length: calls }, (_, i) => `c${step}-${i}`).flatMap((callId, i): readonly Emitted[] => [
        [{ kind: 'tool_called', step, callId, tool: 'search', readOnly: true }, { arguments: '{"q":1}' }],
        ...(i === 1
          ? []
          : ([
              [
                { kind: 'tool_answered', step, callId, isError: false, truncated: false },
                { message: { content: 'found' } },
              ],
            ] satisfies readonly Emitted[])),
      ]),
      [{ kind: 'note', code: 'n' }, { message: 'noted' }],
    ]);
const answerIn = (pieces: readonly { readonly kind: string; readonly delta: string }[]): string =>
  pieces.map(({ kind, delta }) => (kind === 'text' ? delta : '')).join('');
const ENDINGS: readonly (readonly [Partial<AgentRunEvent>, RunEventView['body']])[] = [
  [{ type: 'RunSucceeded' }, { result: { message: { content: 'so' } } }],
  [{ type: 'RunFailed', code: 'worker_lost' }, { message: 'lost' }],
  [{ type: 'RunCancelled' }, null],
];
/** A run, cut off in any place by its end. */
const runs = fc
  .tuple(stepOf(1), stepOf(2), fc.nat(30), fc.constantFrom(...ENDINGS))
  .map(([one, two, cut, [ending, body]]): readonly RunEventView[] => {
    const emitted = [...one, ...two].slice(0, cut);
    const started = { type: 'RunStarted', contextStartRunId: null, contextTruncated: false } as const;
    const events = [
      [{ type: 'RunQueued' }, null],
      [started, null],
      ...emitted.map(([emission, kept]) => [{ type: 'RunEmitted', emission }, kept] as const),
      [ending, body],
    ] as const;
    return events.map(([event, kept], i) => told(event as Partial<AgentRunEvent>, i, kept));
  });

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
/** `known` of the events are past when the client comes; the others come while it is there. */
const framesOf = async (run: readonly RunEventView[], known: number, after?: bigint) => {
  const followed = { past: run.slice(0, known), live: each(run.slice(known)) };
  return Array.fromAsync(agUiStream(followed, after));
};
/** What the public client takes from them; it throws for an order that the protocol does not have. */
const takenBy = async (frames: readonly ServerSentEvent[]): Promise<readonly string[]> => {
  const body = frames.map(({ data }) => `data: ${JSON.stringify(data)}\n\n`).join('');
  const headers = { 'content-type': 'text/event-stream' };
  const agent = new HttpAgent({
    url: 'http://run.example/',
    fetch: async () => new Response(body, { headers }),
  });
  const types: string[] = [];
  await agent.runAgent({}, { onEvent: ({ event }) => void types.push(event.type) });
  return types;
};
const typesOf = (frames: readonly ServerSentEvent[]) =>
  frames.map(({ data }) => (data as { type: string }).type);
const textOf = (frames: readonly ServerSentEvent[], wanted = 'TEXT_MESSAGE_CONTENT') =>
  frames
    .map(({ data }) => data as { delta?: string; type: string })
    .filter(({ type }) => type === wanted)
    .map(({ delta }) => delta)
    .join('');

describe('a run as agent-UI events', () => {
  it('is taken by the public client as it is, wherever it ends', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(20), async (run, known) => {
        const frames = await framesOf(run, Math.min(known + 1, run.length));
        expect(await takenBy(frames)).toEqual(typesOf(frames));
        expect(['RUN_FINISHED', 'RUN_ERROR']).toContain(typesOf(frames).at(-1));
      }),
      { numRuns: 60 },
    );
  });

  it('is taken by a client that goes on behind any revision before the end, and no text is lost or told twice', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(40), async (run, place) => {
        const whole = await framesOf(run, 1);
        const after = BigInt(place % (run.length - 1));
        const rest = await framesOf(run, Number(after) + 1, after);
        expect(await takenBy(rest)).toEqual(typesOf(rest));
        const seen = whole.slice(0, whole.findLastIndex(({ id }) => id === after.toString()) + 1);
        for (const type of ['TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT'])
          expect(textOf(seen, type) + textOf(rest, type)).toBe(textOf(whole, type));
        expect(typesOf(rest).at(-1)).toBe(typesOf(whole).at(-1));
      }),
      { numRuns: 60 },
    );
  });

  it('names each revision once, with the last of its events', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const frames = await framesOf(run, 1);
        const ids = frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        expect(new Set(ids).size).toBe(ids.length);
        expect(frames.at(-1)?.id).toBe(String(run.length - 1));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the event stream of a run that is over', () => {
  const started = { type: 'RunStarted', contextStartRunId: null, contextTruncated: false } as const;
  const past = [told({ type: 'RunQueued' }, 0, null), told(started, 1, null)];
  const end = told({ type: 'RunCancelled' }, 2, null);
  const answerTo = async (lastEventId: string, events: readonly RunEventView[]) => {
    const app = await runApp((fakes) => ({
      runEvents: { ...fakes.runEvents, follow: async () => ({ past: events, live: each([]) }) },
    }));
    const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId };
    return app.ask('GET', `/api/v1/agent/runs/${ID}/events`, { headers });
  };

  it.each(['2', '3'])('is not told again to a client that has its end: 204 at %s', async (id) => {
    expect(await answerTo(id, [...past, end])).toMatchObject({ status: 204, body: '' });
  });

  it('is told to a client that has not, and goes on where the run does', async () => {
    expect((await answerTo('1', [...past, end])).body).toContain('RUN_ERROR');
    expect((await answerTo('1', past)).body).toContain('RUN_STARTED');
    expect((await answerTo('2', past)).json().error.type).toBe('invalid_cursor');
  });
});
