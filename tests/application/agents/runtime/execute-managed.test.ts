import type { RunEvent, RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import {
  type ManagedDeps,
  createManagedExecutor,
} from '../../../../application/agents/runtime/execute-managed.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import {
  type AgentRuntime,
  type RuntimeCall,
  RuntimeFailed,
  type RuntimeReport,
} from '../../../../application/ports/agent-runtime.ts';
import { runToDo } from '../../../support/agent/local-runs.ts';
import { refusalOf } from '../../../support/decisions.ts';
import { describe, expect, it } from 'vitest';

/** What a call answers that fails before it says anything. `meanwhile`: what happens when it is first listened to. */
const failingStream = <Said>(error: Error, meanwhile: () => void = () => {}): AsyncIterable<Said> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => {
      meanwhile();
      return Promise.reject(error);
    },
  }),
});

const ARN = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/a';

/** What a runtime does when it is asked: it reports, fails, or (`null`) says nothing until it is left. */
type Doing = RuntimeReport | Error | null;

/** An executor over a runtime that does so much at each try, and what came of it. Time passes while it waits. */
const managing = (tries: readonly (readonly Doing[])[], more: Partial<ManagedDeps> = {}) => {
  const emitted: RunEvent[] = [];
  const slept: number[] = [];
  const asked: RuntimeCall[] = [];
  const stopped: string[] = [];
  const timers = new Set<{ readonly ms: number; readonly abort: AbortController }>();
  /** Resolved when the runtime begins to say nothing. */
  const quiet = Promise.withResolvers<void>();
  let now = 0;
  const runtime: AgentRuntime = {
    async *invoke(call, signal) {
      asked.push(call);
      for (const doing of tries[Math.min(asked.length, tries.length) - 1]!) {
        if (doing instanceof Error) throw doing;
        if (doing !== null) yield doing;
        else {
          quiet.resolve();
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
        }
      }
    },
    stop: async ({ sessionId }) => void stopped.push(sessionId),
  };
  const executor = createManagedExecutor({
    runtime,
    allowed: new Set([ARN]),
    limits: { ms: 60_000, idleTimeoutMs: 5_000 },
    redactTextFor: async () => (text) => text,
    clock: { now: () => now },
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    after: (ms) => {
      const timer = { ms, abort: new AbortController() };
      timers.add(timer);
      return { signal: timer.abort.signal, clear: () => void timers.delete(timer) };
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...more,
  });
  return {
    executor,
    emitted,
    slept,
    asked,
    stopped,
    timers,
    quiet: quiet.promise,
    /** Ends the waits of so many milliseconds. */
    runOut: (ms: number): void => {
      for (const timer of timers) if (timer.ms === ms) timer.abort.abort(new Error('late'));
    },
    execute: (
      run: Partial<RunToDo> = {},
      signal = new AbortController().signal,
      emit = async (event: RunEvent): Promise<void> => void emitted.push(event),
    ) =>
      executor.execute(runToDo({ executionMode: 'MANAGED_RUNTIME', runtimeArn: ARN, ...run }), emit, signal),
  };
};

const said = (delta: string): RuntimeReport => ({ kind: 'text', delta });

const THINKS: RuntimeReport = { kind: 'reasoning', delta: 'And now?' };

const ALIVE: RuntimeReport = { kind: 'alive' };

const ENDED: RuntimeReport = { kind: 'message_ended' };

const busy = new RuntimeFailed('runtime_busy', 'the runtime is too busy', { retryable: true });

const SESSION = 'knowledger-01900000-0000-7000-8000-0000000000aa';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'none', message: '' }),
    (error: { code: string; message: string }) => error,
  );

describe('a run that a runtime executes', () => {
  it('comes to its messages, its output, and the place where more can be found', async () => {
    const world = managing([
      [ALIVE, said('One'), said('.'), ENDED, THINKS, said('Two.'), { kind: 'output', output: { score: 3 } }],
    ]);
    const { messages, result } = await world.execute();
    expect(messages.map(({ content }) => content)).toEqual(['One.', 'Two.']);
    expect(result).toEqual({
      message: { role: 'assistant', content: 'One.\n\nTwo.' },
      finish_reason: 'stop',
      output: { score: 3 },
      runtime: { arn: ARN, session_id: SESSION },
    });
    const steps = world.emitted.map((event) => [event.kind, 'step' in event ? event.step : null]);
    expect(steps).toEqual([
      ['handed_over', null],
      ['step', 1],
      ['text', 1],
      ['text', 1],
      ['model_answered', 1],
      ['step', 2],
      ['reasoning', 2],
      ['text', 2],
      ['model_answered', 2],
    ]);
  });

  it('keeps the calls of tools that it is told of, and no answer of which it saw no call', async () => {
    const world = managing([
      [
        { kind: 'tool_called', callId: 'a', tool: 'look_up', arguments: '{}' },
        { kind: 'tool_answered', callId: 'b', isError: false, content: 'stray' },
        { kind: 'tool_answered', callId: 'a', isError: false, content: 'found' },
        said('Done.'),
      ],
    ]);
    const { messages } = await world.execute();
    expect(messages).toEqual([{ role: 'assistant', content: 'Done.' }]);
    expect(world.emitted.slice(2, 4)).toEqual([
      { kind: 'tool_called', step: 1, callId: 'a', tool: 'look_up', readOnly: false, arguments: '{}' },
      { kind: 'tool_answered', step: 1, callId: 'a', isError: false, truncated: false, result: 'found' },
    ]);
  });

  it('is refused, when it is asked for and later, unless the operator allows its runtime', async () => {
    const { executor, execute, asked } = managing([[]]);
    const request = { workflowType: 'any', provider: null, mcpSessionId: null, input: { messages: [] } };
    expect(refusalOf(() => executor.check?.({ ...request, runtimeArn: `${ARN}b` }))).toBe('not_configured');
    expect(refusalOf(() => executor.check?.({ ...request, runtimeArn: ARN }))).toBeNull();
    expect(await failureOf(execute({ runtimeArn: `${ARN}b` }))).toMatchObject({ code: 'not_configured' });
    expect(asked).toEqual([]);
  });
});

describe('a runtime that is busy or away', () => {
  it('is asked again after growing waits, handed over once, and says so to whoever follows', async () => {
    const world = managing([[busy], [busy], [said('It is so.')]]);
    await world.execute();
    expect(world.slept).toEqual([1_000, 2_000]);
    expect(world.emitted.map(({ kind }) => kind)).toEqual([
      'handed_over',
      'note',
      'note',
      'step',
      'text',
      'model_answered',
    ]);
  });

  it('is given up after eight tries, or when the next wait would exceed the run', async () => {
    const patient = managing([[busy]], { limits: { ms: 600_000, idleTimeoutMs: 5_000 } });
    expect(await failureOf(patient.execute())).toMatchObject({ code: 'runtime_busy' });
    expect(patient.asked).toHaveLength(8);
    const short = managing([[busy]], { limits: { ms: 2_500, idleTimeoutMs: 5_000 } });
    expect(await failureOf(short.execute())).toMatchObject({ code: 'runtime_busy' });
    expect(short.slept).toEqual([1_000]);
    expect(patient.stopped).toEqual([]);
  });

  it('is never asked again once it has begun, and is stopped where it may go on', async () => {
    const brokeOff = new RuntimeFailed('runtime_broke_off', 'it broke off', { mayStillRun: true });
    const world = managing([[said('It'), brokeOff], [said('twice')]]);
    expect(await failureOf(world.execute())).toMatchObject({ name: 'RunFailure', code: 'runtime_broke_off' });
    expect([world.asked.length, world.stopped]).toEqual([1, [SESSION]]);
  });

  it('has its own words hidden by policies when it fails', async () => {
    const redactTextFor = async () => (text: string) => text.replaceAll('secret', '███');
    const world = managing([[new RuntimeFailed('runtime_error', 'no secret fish')]], { redactTextFor });
    expect((await failureOf(world.execute())).message).toBe('no ███ fish');
    expect(world.stopped).toEqual([]);
  });
});

describe('a runtime that goes on', () => {
  it('is stopped when it has said nothing for too long', async () => {
    const world = managing([[said('It'), null]]);
    const running = failureOf(world.execute());
    await world.quiet;
    world.runOut(5_000);
    expect(await running).toMatchObject({ code: 'runtime_silent' });
    expect([world.asked.length, world.stopped]).toEqual([1, [SESSION]]);
    expect([...world.timers]).toEqual([]);
  });

  it.each([
    ['canceled', [SESSION]],
    ['deleted', [SESSION]],
    ['shutdown', [SESSION]],
    // The next run of the thread may have begun in the same session.
    ['lease_lost', []],
    ['fenced', []],
    ['outdated', []],
  ])('when its run is %s: stopped are %j', async (reason, stopped) => {
    const world = managing([[said('It'), null]]);
    const stopping = new AbortController();
    const running = world.execute({}, stopping.signal).catch((error: unknown) => error);
    await world.quiet;
    stopping.abort(reason);
    expect(await running).toBe(reason);
    expect(world.stopped).toEqual(stopped);
  });
});

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
    const redactTextFor = async () => (text: string) => text.replaceAll('secret', '███');
    const { execute, asked } = managing([[said('ok')]], { redactTextFor });
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
      'the runtime sent more than is stored of one run',
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
    expect(long.signals[0]!.reason).toMatchObject({ message: 'the reports are no longer read' });
    expect([...failing.timers]).toEqual([]);
  });

  it('and cannot be stopped in time is told to the log', async () => {
    const told: unknown[] = [];
    const brokeOff = new RuntimeFailed('runtime_broke_off', 'it broke off', { mayStillRun: true });
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
