import { describe, expect, it } from 'vitest';
import { failureMessage } from '../../../../application/agents/runs/failure-message.ts';
import { mustBeRunnable, type RunRequest } from '../../../../application/agents/runs/run-request.ts';
import type { AgentMessage } from '../../../../domain/agent-run/message.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';

const ASKS: AgentMessage = { role: 'user', content: 'Is it so?' };
const calls = (...ids: readonly string[]): AgentMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'search', arguments: '{}' })),
});
const answers = (toolCallId: string): AgentMessage => ({ role: 'tool', toolCallId, content: 'Found.' });
const local = scriptedExecutor(() => []);
const managed = scriptedExecutor(() => []);
const BOTH = { LOCAL: local, MANAGED_RUNTIME: managed };
const asking = (more: Partial<RunRequest>, ...before: readonly AgentMessage[]): RunRequest =>
  request('', { input: { messages: [...before, ASKS] }, ...more });
const refusal = (of: RunRequest): unknown => {
  try {
    return mustBeRunnable(BOTH, of);
  } catch (error) {
    return error;
  }
};
const invalid = (message: string) => ({ code: 'invalid_request', message });

describe('a request for a run', () => {
  it('is refused where nobody executes such runs, or whoever does refuses it', async () => {
    const nobody = async () => mustBeRunnable({ ...BOTH, LOCAL: null }, asking({}));
    await expect(nobody()).rejects.toMatchObject({
      code: 'not_configured',
      message: 'execution_mode LOCAL is not set up here',
    });
    const picky = {
      ...local,
      check: () => {
        throw new DomainError('schema_invalid', 'no such schema');
      },
    };
    expect(() => mustBeRunnable({ ...BOTH, LOCAL: picky }, asking({}))).toThrow('no such schema');
  });

  it.each([
    [{ parentRunId: 'r' }, 'parent_run_id goes with the thread_id that it belongs to'],
    [{ runtimeArn: 'arn:x' }, 'runtime_arn goes with execution_mode MANAGED_RUNTIME'],
    [{ executionMode: 'MANAGED_RUNTIME' }, 'execution_mode MANAGED_RUNTIME needs a runtime_arn'],
    [{ input: { messages: [] } }, 'the last of input.messages must be from the user'],
    [
      { input: { messages: [{ role: 'system', content: 'be brief' }] } },
      'the last of input.messages must be from the user',
    ],
    [
      { input: { messages: [{ role: 'user', content: ' \n' }] } },
      'the last of input.messages must not be blank',
    ],
  ] as readonly (readonly [Partial<RunRequest>, string])[])('is refused as %j', (more, message) => {
    expect(refusal(asking(more))).toMatchObject(invalid(message));
  });
});

describe('a history that is sent with a request', () => {
  const LEGACY = { inputHistoryMode: 'legacy_full' } as const;

  it('has an answer for each call of a tool, in any order', () => {
    expect(refusal(asking(LEGACY, ASKS, calls('a', 'b'), answers('b'), answers('a')))).toBe(local);
    expect(refusal(asking(LEGACY, calls('a'), answers('a'), calls('a'), answers('a')))).toBe(local);
    expect(refusal(asking(LEGACY, { role: 'assistant', content: 'Yes.' }))).toBe(local);
  });

  it('has no call without its answer', () => {
    const message = 'a call of a tool in input.messages has no answer';
    expect(refusal(asking(LEGACY, calls('a')))).toMatchObject(invalid(message));
    expect(refusal(asking(LEGACY, calls('a', 'b'), answers('b')))).toMatchObject(invalid(message));
  });

  it('has no answer without its call', () => {
    const message = 'a message of role tool answers no call of a tool before it: a';
    expect(refusal(asking(LEGACY, answers('a')))).toMatchObject(invalid(message));
    expect(refusal(asking(LEGACY, calls('a'), answers('a'), answers('a')))).toMatchObject(invalid(message));
  });

  it('has no calls at all where only what is new is sent', () => {
    expect(refusal(asking({}, calls('a'), answers('a')))).toMatchObject(
      invalid('delta_v1 sends what is new alone: calls of tools are known'),
    );
    expect(refusal(asking({}, { role: 'assistant', content: 'Yes.' }))).toBe(local);
  });
});

describe('why a run came to nothing', () => {
  it('names the tools that may have acted, and none that only read', () => {
    const call = (tool: string, readOnly: boolean) => ({ callId: tool, tool, readOnly });
    const openToolCalls = [call('mail.send', false), call('search', true), call('file.write', false)];
    expect(failureMessage({ code: 'x', openToolCalls }, 'It broke')).toBe(
      'It broke. These tools were called and did not answer, so that they may have acted: mail.send, file.write',
    );
    expect(failureMessage({ code: 'x', openToolCalls: [call('search', true)] }, 'It broke')).toBe('It broke');
  });
});
