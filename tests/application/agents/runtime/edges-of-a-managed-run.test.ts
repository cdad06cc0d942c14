import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import {
  type AgentRuntime,
  RuntimeFailed,
  type RuntimeReport,
} from '../../../../application/ports/agent-runtime.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { ARN, managing } from '../../../support/agent/managed-runs.ts';
import { failingStream } from '../../../support/failing-stream.ts';

const said = (delta: string): RuntimeReport => ({ kind: 'text', delta });
const called = (given = '{}', callId = 'a'): RuntimeReport => ({
  kind: 'tool_called',
  callId,
  tool: 'look_up',
  arguments: given,
});
const answered = (content: string): RuntimeReport => ({
  kind: 'tool_answered',
  callId: 'a',
  isError: false,
  content,
});
const SESSION = 'knowledger-01900000-0000-7000-8000-0000000000aa';
const RUN = '01900000-0000-7000-8000-0000000000bb';
const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise(setImmediate);
};
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );

describe('what a runtime is sent', () => {
  it('is what was said, with its calls, and all that the run was given beside, as policies let it be read', async () => {
    const hidingFor = async () => (text: string) => text.replaceAll('secret', '███');
    const { execute, asked } = managing([[said('ok')]], { hidingFor });
    const call = { id: 'c', name: 'look_up', arguments: '{"q":"secret"}' };
    await execute({
      provider: null,
      mcpSessionId: 'mcp',
      history: [
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', toolCallId: 'c', content: 'a secret' },
        { role: 'assistant', content: 'So.' },
      ],
      input: {
        messages: [{ role: 'user', content: 'the secret' }],
        more: { secret: ['secret', 3, null, true, { deep: 'secret' }] },
      },
    });
    const { payload, ...rest } = asked[0]!;
    expect(rest).toEqual({
      runtimeArn: ARN,
      sessionId: SESSION,
      mcpSessionId: 'mcp',
      traceparent: null,
    });
    expect(JSON.parse(payload)).toEqual({
      prompt: 'the ███',
      threadId: '01900000-0000-7000-8000-0000000000aa',
      runId: RUN,
      messages: [
        {
          id: `${RUN}-m0`,
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'look_up', arguments: '{"q":"███"}' } }],
        },
        { id: `${RUN}-m1`, role: 'tool', toolCallId: 'c', content: 'a ███' },
        { id: `${RUN}-m2`, role: 'assistant', content: 'So.' },
        { id: `${RUN}-m3`, role: 'user', content: 'the ███' },
      ],
      state: {},
      tools: [],
      context: [],
      forwardedProps: {
        workflow_type: 'chat',
        provider: null,
        principal_id: null,
        input: { more: { '███': ['███', 3, null, true, { deep: '███' }] } },
      },
    });
  });
});

describe('what a runtime reports', () => {
  it('is kept up to a million characters, of texts, arguments and answers together', async () => {
    const ending = (...reports: readonly RuntimeReport[]) => codeOf(managing([reports]).execute());
    const most = 'x'.repeat(999_990);
    expect(await ending(called('12345'), answered('12345'), said(most))).toBeNull();
    expect(await ending(called('123456'), answered('12345'), said(most))).toBe('answer_too_long');
    expect(await ending(called('12345'), answered('123456'), said(most))).toBe('answer_too_long');
    expect(await ending(called('12345'), answered('12345'), said(`${most}x`))).toBe('answer_too_long');
    await expect(managing([[said(`${most}${most}`)]]).execute()).rejects.toThrow(
      'the runtime said more than is kept of one run',
    );
  });
});

describe('a run of which nothing may be kept any more', () => {
  const losing = (stop: AbortController) => {
    const world = managing([[said('It')]]);
    const emit = async ({ kind }: RunEvent) => {
      if (kind === 'text') throw new WorkLost('it is not ours any more');
    };
    return { ...world, running: world.execute({}, stop.signal, emit).catch((error: unknown) => error) };
  };

  it('leaves the runtime to whoever has the run now, where nobody says why', async () => {
    const { running, stopped, timers, runOut } = losing(new AbortController());
    await turns();
    runOut(1_000);
    expect(await running).toBeInstanceOf(WorkLost);
    expect([stopped, [...timers]]).toEqual([[], []]);
  });
});

describe('a runtime that does not listen', () => {
  /** It says this, and then nothing, whatever its signal says. */
  const deaf = (...reports: readonly RuntimeReport[]) => {
    const signals: AbortSignal[] = [];
    const quiet = Promise.withResolvers<void>();
    const runtime: AgentRuntime = {
      async *invoke(_call, signal) {
        signals.push(signal);
        yield* reports;
        quiet.resolve();
        await new Promise(() => {});
      },
      stop: async () => {},
    };
    return { runtime, signals, quiet: quiet.promise };
  };

  it('is heard no further once the run is canceled, and told that nobody listens', async () => {
    const stop = new AbortController();
    const { runtime } = deaf(said('One'), said('Two'));
    const kinds: string[] = [];
    const running = managing([[]], { runtime }).execute({}, stop.signal, async ({ kind }) => {
      kinds.push(kind);
      if (kind === 'text') stop.abort('canceled');
    });
    await expect(running).rejects.toBe('canceled');
    expect(kinds).toEqual(['handed_over', 'step', 'text']);
    const long = deaf(said('x'.repeat(1_000_001)), said('more'));
    const failing = managing([[]], { runtime: long.runtime });
    expect(await codeOf(failing.execute())).toBe('answer_too_long');
    expect(long.signals[0]!.reason).toMatchObject({ message: 'nobody listens any more' });
    expect([...failing.timers]).toEqual([]);
  });

  it('and cannot be stopped in time is told to the log', async () => {
    const told: unknown[] = [];
    const brokeOff = new RuntimeFailed('runtime_broke_off', 'it broke off', { mayGoOn: true });
    const world = managing([[]], {
      runtime: {
        invoke: () => failingStream(brokeOff),
        stop: async () => {
          throw new Error('late');
        },
      },
      log: { info: () => {}, warn: (...line) => void told.push(line), error: () => {} },
    });
    expect(await codeOf(world.execute())).toBe('runtime_broke_off');
    const fields = { runId: RUN, runtimeArn: ARN, sessionId: SESSION, why: 'it did not answer in time' };
    expect(told).toEqual([['the session of a runtime could not be stopped', fields]]);
    expect([...world.timers]).toEqual([]);
  });
});
