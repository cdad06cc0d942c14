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
const busy = new RuntimeFailed('runtime_busy', 'the runtime is too busy', { retryable: true });
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
  const kept = async (...reports: readonly RuntimeReport[]) => {
    const { execute, emitted } = managing([reports]);
    const { messages } = await execute();
    const told = emitted.slice(1).map((event) => [event.kind, 'step' in event ? event.step : null]);
    return { told, messages: messages.map(({ content }) => content), emitted };
  };

  it('makes steps where it says so, or writes another message, and nowhere else', async () => {
    expect((await kept({ kind: 'alive' }, { kind: 'message_ended' })).told).toEqual([]);
    const { told, messages, emitted } = await kept(
      said('One.'),
      { kind: 'step' },
      said('Two.'),
      { kind: 'message_ended' },
      called(),
      said('Three.'),
    );
    expect(messages).toEqual(['One.', 'Two.', 'Three.']);
    expect(told).toEqual([
      ['step', 1],
      ['text', 1],
      ['model_answered', 1],
      ['step', 2],
      ['text', 2],
      ['model_answered', 2],
      ['tool_called', 2],
      ['step', 3],
      ['text', 3],
      ['model_answered', 3],
    ]);
    expect(emitted.find(({ kind }) => kind === 'model_answered')).toEqual({
      kind: 'model_answered',
      step: 1,
      model: ARN,
      usage: null,
      finishReason: 'stop',
      message: { role: 'assistant', content: 'One.' },
    });
  });

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

  it('is kept up to two thousand steps and calls together', async () => {
    const calls = (count: number) => Array.from({ length: count }, () => called());
    const steps = (count: number) => Array.from({ length: count }, () => ({ kind: 'step' }) as const);
    const ending = (...reports: readonly RuntimeReport[]) => codeOf(managing([reports]).execute());
    expect(await ending(...calls(1_999))).toBeNull();
    expect(await ending(...calls(2_000))).toBe('answer_too_long');
    expect(await ending(...steps(1_000), ...calls(1_000))).toBeNull();
    expect(await ending(...steps(1_001), ...calls(1_000))).toBe('answer_too_long');
  });
});

describe('a runtime that is busy', () => {
  it('is asked again as long as the run may wait, and the caller is told', async () => {
    const running = (ms: number) =>
      managing([[busy], [said('ok')]], {
        limits: { ms, silenceMs: 5_000 },
        clock: { now: () => 1_700_000_000_000 },
      });
    const impatient = running(1_000);
    expect([await codeOf(impatient.execute()), impatient.slept]).toEqual(['runtime_busy', []]);
    const patient = running(1_001);
    expect([await codeOf(patient.execute()), patient.slept]).toEqual([null, [1_000]]);
    expect(patient.emitted[1]).toEqual({
      kind: 'note',
      code: 'runtime_retry',
      message: 'The runtime is busy or away: asking again in 1 s.',
    });
  });

  it('is not asked again once the run has ended, whenever that was', async () => {
    const stop = new AbortController();
    const waiting = managing([[busy]], { sleep: async () => stop.abort('canceled') });
    await expect(waiting.execute({}, stop.signal)).rejects.toBe('canceled');
    expect(waiting.asked).toHaveLength(1);

    const gone = new AbortController();
    const runtime: AgentRuntime = {
      invoke: () => failingStream(busy, () => gone.abort('canceled')),
      stop: async () => {},
    };
    const ending = managing([[]], { runtime });
    await expect(ending.execute({}, gone.signal)).rejects.toBe('canceled');
    expect(ending.emitted.map(({ kind }) => kind)).toEqual(['handed_over']);

    // The note could not be kept, as the run was ended.
    const over = new AbortController();
    const lost = managing([[busy]]).execute({}, over.signal, async ({ kind }) => {
      if (kind !== 'note') return;
      over.abort('canceled');
      throw new WorkLost('it has ended');
    });
    await expect(lost).rejects.toBe('canceled');
  });
});

it('a run that is canceled while its runtime says that it is busy tells of no second try', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const stop = new AbortController();
    const later = async (): Promise<void> => {
      for (let n = 0; n < turn; n += 1) await Promise.resolve();
      stop.abort('canceled');
    };
    const runtime: AgentRuntime = {
      invoke: () => ({
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            void later();
            throw busy;
          },
        }),
      }),
      stop: async () => {},
    };
    const noted: boolean[] = [];
    const running = managing([[]], { runtime }).execute({}, stop.signal, async ({ kind }) => {
      if (kind === 'note') noted.push(stop.signal.aborted);
    });
    await expect(running).rejects.toBe('canceled');
    expect(noted).not.toContain(true);
  }
});

describe('a run of which nothing may be kept any more', () => {
  const losing = (stop: AbortController) => {
    const world = managing([[said('It')]]);
    const emit = async ({ kind }: RunEvent) => {
      if (kind === 'text') throw new WorkLost('it is not ours any more');
    };
    return { ...world, running: world.execute({}, stop.signal, emit).catch((error: unknown) => error) };
  };

  it('waits a second to learn why, and stops the runtime where it was canceled', async () => {
    const stop = new AbortController();
    const { running, stopped, timers } = losing(stop);
    await turns();
    expect([...timers].map(({ ms }) => ms)).toContain(1_000);
    stop.abort('canceled');
    expect(await running).toBe('canceled');
    expect([stopped, [...timers]]).toEqual([[SESSION], []]);
  });

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

  it('is left when it says nothing for too long, or the run is canceled', async () => {
    const { runtime, quiet } = deaf();
    const silent = managing([[]], { runtime });
    const running = silent.execute();
    await quiet;
    silent.runOut(5_000);
    await expect(running).rejects.toMatchObject({
      code: 'runtime_silent',
      message: 'the runtime said nothing for 5 s: it may have acted; its session tells what it did',
    });
    const stop = new AbortController();
    const next = deaf();
    const canceled = managing([[]], { runtime: next.runtime }).execute({}, stop.signal);
    await next.quiet;
    stop.abort('canceled');
    await expect(canceled).rejects.toBe('canceled');
  });

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
