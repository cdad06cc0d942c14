import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAgentCore } from '../../../../adapters/models/agent-core/agent-runtime.ts';
import type { RuntimeCall, RuntimeReport } from '../../../../application/ports/agent-runtime.ts';
import {
  type AgentCoreServer,
  answers,
  begins,
  eventsOf,
  openAgentCore,
  refuses,
  RUNTIME_ARN,
  tells,
} from '../../../support/agent/agent-core-server.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-very-secret-key' };
const CALL: RuntimeCall = {
  runtimeArn: RUNTIME_ARN,
  sessionId: 'knowledger-0199d2a0-0000-7000-9000-000000000001',
  payload: JSON.stringify({ prompt: 'hello' }),
  mcpSessionId: null,
};
const never = new AbortController().signal;

let server: AgentCoreServer;
let runtime: ReturnType<typeof createAgentCore>;
beforeAll(async () => {
  server = await openAgentCore();
  runtime = createAgentCore({ endpoint: server.endpoint, qualifier: 'prod', credentials });
});
beforeEach(() => {
  server.invoked.length = 0;
  server.stopped.length = 0;
});
afterAll(async () => {
  await runtime.close();
  await server.close();
});

const told = async (call: RuntimeCall = CALL, signal = never): Promise<readonly RuntimeReport[]> => {
  const reports: RuntimeReport[] = [];
  for await (const report of runtime.invoke(call, signal)) if (report.kind !== 'alive') reports.push(report);
  return reports;
};
const failing = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'none', message: '', retryable: false, mayStillRun: false }),
    (error: { code: string; message: string; retryable: boolean; mayStillRun: boolean }) => error,
  );
const text = (delta: string): RuntimeReport => ({ kind: 'text', delta });

describe('a runtime that is asked', () => {
  it('gets the payload and the session by a signed request for its ARN and endpoint', async () => {
    await told({ ...CALL, mcpSessionId: 'mcp-1' });
    const [invocation] = server.invoked;
    expect(invocation).toMatchObject({
      arn: RUNTIME_ARN,
      sessionId: CALL.sessionId,
      qualifier: 'prod',
      payload: { prompt: 'hello' },
      headers: { 'mcp-session-id': 'mcp-1', 'content-type': 'application/json' },
    });
    expect(invocation?.headers.authorization).toContain('/eu-central-1/bedrock-agentcore/aws4_request');
  });

  it('is read as events of the agent-UI protocol, calls of tools included', async () => {
    const body = eventsOf(
      { type: 'RUN_STARTED' },
      { type: 'STEP_STARTED', stepName: 'look' },
      { type: 'REASONING_START', messageId: 'r1' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'Hm' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: '.' },
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'look_up' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"q":' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '1}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: 'found' },
      { type: 'TEXT_MESSAGE_START', messageId: 'u1', role: 'user' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u1', delta: 'not mine' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'one' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', delta: 'two' },
      { type: 'RUN_FINISHED', result: { score: 3 } },
    );
    server.answer = answers('text/event-stream; charset=utf-8', body);
    expect(await told()).toEqual([
      { kind: 'step' },
      { kind: 'reasoning', delta: 'Hm' },
      { kind: 'reasoning', delta: '.' },
      { kind: 'tool_called', callId: 'c1', tool: 'look_up', arguments: '{"q":1}' },
      { kind: 'tool_answered', callId: 'c1', isError: false, content: 'found' },
      { kind: 'message_ended' },
      text('one'),
      { kind: 'message_ended' },
      text('two'),
      { kind: 'message_ended' },
      { kind: 'output', output: { score: 3 } },
    ]);
  });

  it('tells the thoughts with which its messages begin apart, whatever form they come in', async () => {
    const thought = (delta: string): RuntimeReport => ({ kind: 'reasoning', delta });
    server.answer = answers(
      'text/event-stream',
      eventsOf(
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: '<thi' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'nk>Hm.</think>One' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', delta: '<think>And?</think>\n\nTwo' },
      ),
    );
    const ended = { kind: 'message_ended' };
    expect(await told()).toEqual([thought('Hm.'), text('One'), ended, thought('And?'), text('Two')]);
    server.answer = json({ response: '<think>Hm.</think>It is so.' });
    expect((await told()).slice(1)).toEqual([thought('Hm.'), text('It is so.')]);
    server.answer = answers('text/plain', '<think>Hm.</think>It is <b>so</b>.<');
    expect(await told()).toEqual([thought('Hm.'), text('It is <b>so</b>.<')]);
    server.answer = answers('text/plain', '<thi');
    expect(await told()).toEqual([text('<thi')]);
  });

  const json = (value: unknown) => answers('application/json', JSON.stringify(value));
  const said = { role: 'assistant', content: [{ text: 'It is' }, { text: 'so.' }] };
  it.each([
    ['bare texts', answers('text/event-stream', eventsOf('It is', ' so.')), ['It is', ' so.']],
    ['pieces in objects', answers('text/event-stream', eventsOf({ data: 'It' }, { text: '!' })), ['It', '!']],
    ['lines that are no JSON', answers('text/event-stream', 'data: It is so.\n\n'), ['It is so.']],
    ['a plain text', answers('text/plain', 'It is so.'), ['It is so.']],
    ['JSON with a response', json({ response: 'It is so.', status: 'success' }), ['It is so.']],
    ['JSON with a message in blocks', json({ result: said }), ['It is\nso.']],
    ['JSON without a text', json({ score: 3 }), ['{"score":3}']],
  ])('is understood in %s', async (_, answer, deltas) => {
    server.answer = answer;
    expect((await told()).filter(({ kind }) => kind === 'text')).toEqual(deltas.map(text));
  });

  it('tells a piece as soon as it comes', async () => {
    server.answer = begins({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'first' });
    const leaving = new AbortController();
    for await (const report of runtime.invoke(CALL, leaving.signal)) {
      if (report.kind !== 'text') continue;
      expect(report.delta).toBe('first');
      break;
    }
    expect(await server.invoked[0]?.outcome).toBe('left');
  });
});

describe('a runtime that fails', () => {
  const MEANING: Readonly<Record<string, object>> = {
    runtime_busy: { retryable: true, mayStillRun: false },
    runtime_unavailable: { retryable: true, mayStillRun: false },
    runtime_broke_off: { retryable: false, mayStillRun: true },
    runtime_error: { retryable: false, mayStillRun: false },
    runtime_refused: { retryable: false, mayStillRun: false },
  };
  const streams = (event: object) => answers('text/event-stream', eventsOf(event));
  it.each<[string, AgentCoreServer['answer'], string]>([
    ['is too busy', refuses('ThrottlingException', 429), 'runtime_busy'],
    ['has a conflict in its session', refuses('RetryableConflictException', 409), 'runtime_busy'],
    ['is away', refuses('InternalServerException', 500), 'runtime_unavailable'],
    ['is away behind a proxy', refuses('', 503), 'runtime_unavailable'],
    ['was waited for by a proxy', refuses('', 504), 'runtime_broke_off'],
    ['has an agent that fails', refuses('RuntimeClientError', 424), 'runtime_error'],
    ['refuses', refuses('AccessDeniedException', 403), 'runtime_refused'],
    ['is none', refuses('ResourceNotFoundException', 404), 'runtime_refused'],
    ['has used up its quota', refuses('ServiceQuotaExceededException', 402), 'runtime_refused'],
    ['says so in its stream', streams({ type: 'RUN_ERROR', message: 'no fish' }), 'runtime_error'],
    ['says so in an event of its own', streams({ error: 'no fish' }), 'runtime_error'],
    [
      'says so in JSON',
      answers('application/json', JSON.stringify({ error: { message: 'no fish' } })),
      'runtime_error',
    ],
    ['ends before its run does', streams({ type: 'RUN_STARTED' }), 'runtime_broke_off'],
  ])('because it %s is asked once, and says what that means', async (_, answer, code) => {
    server.answer = answer;
    const failure = await failing(told());
    expect(failure).toMatchObject({ code, ...MEANING[code] });
    expect(server.invoked).toHaveLength(1);
    expect(failure.message).not.toMatch(/quote|AKID|secret-key|127\.0\.0\.1/);
  });

  it('in mid-answer has broken off, and is not to be asked again', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(eventsOf('It'), () => response.destroy());
    };
    expect(await failing(told())).toMatchObject(MEANING['runtime_broke_off']!);
  });

  it('to connect is away; one that hangs up without an answer may have begun', async () => {
    const gone = createAgentCore({ endpoint: 'http://127.0.0.1:9', credentials });
    const [refused, hungUp] = await Promise.all([
      failing(Array.fromAsync(gone.invoke(CALL, never))),
      (async () => {
        server.answer = (_, response) => void response.destroy();
        return failing(told());
      })(),
    ]);
    await gone.close();
    expect(refused).toMatchObject({ code: 'runtime_unavailable', retryable: true });
    expect(hungUp).toMatchObject({ code: 'runtime_broke_off', retryable: false, mayStillRun: true });
  });
});

describe('a runtime that is to stop', () => {
  it('is left at once, before its answer and in the midst of it', async () => {
    for (const answer of [() => {}, begins()]) {
      server.invoked.length = 0;
      const leaving = new AbortController();
      server.answer = (invocation, response) => {
        void answer(invocation, response);
        leaving.abort('canceled');
      };
      await expect(told(CALL, leaving.signal)).rejects.toBe('canceled');
      expect(await server.invoked[0]?.outcome).toBe('left');
    }
  });

  it('ends its session', async () => {
    await runtime.stop(CALL, never);
    expect(server.stopped).toEqual([CALL.sessionId]);
    server.answer = tells('still there');
    expect(await told()).toContainEqual(text('still there'));
  });
});
