import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentRunCommand,
  agentRun,
  type AgentRunState,
  isOver,
  type RunFacts,
  RUN_STATUSES,
  type RunStatus,
} from '../../../domain/agent-run/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';
import { RUN_FACTS } from '../../support/agent/run-facts.ts';

const FACTS: RunFacts = {
  ...RUN_FACTS,
  threadId: 't',
  parentRunId: null,
  afterRunId: null,
  reach: null,
};
const BODY = { bodyId: 'r/e0', digest: 'd', bytes: 3 };
const QUEUE: AgentRunCommand = { type: 'queue', ...FACTS };
const context = { contextStartRunId: 'p', contextTruncated: true, contextMessages: 2, contextDigest: 'd' };
const COMMANDS = {
  claim: { type: 'claim', workerId: 'w', ...context, at: 2 },
  hand_over: { type: 'hand_over', runtimeArn: 'arn:a', runtimeSessionId: 's', request: BODY, at: 3 },
  emit: { type: 'emit', emission: { kind: 'step', step: 1 }, body: null, at: 3 },
  complete: { type: 'complete', result: BODY, messages: BODY, at: 4 },
  fail: { type: 'fail', code: 'provider_error', message: BODY, at: 5 },
  lease_lost: { type: 'lease_lost', code: 'worker_lost', at: 6 },
  queue_timeout: { type: 'queue_timeout', at: 7 },
  cancel: { type: 'cancel', at: 8 },
  cancel_done: { type: 'cancel_done', at: 9 },
  cancel_timeout: { type: 'cancel_timeout', at: 10 },
} as const satisfies { readonly [name: string]: AgentRunCommand };
type Name = keyof typeof COMMANDS;

/** How a run comes to each status. */
const WAY_TO: { readonly [S in RunStatus]: readonly Name[] } = {
  QUEUED: [],
  RUNNING: ['claim'],
  CANCELLING: ['claim', 'cancel'],
  SUCCEEDED: ['claim', 'complete'],
  FAILED: ['claim', 'fail'],
  CANCELLED: ['cancel'],
};
/** `=` nothing happens; `·` refused; anything else is the next status. */
const TABLE = `
              claim    hand_over  emit     complete   fail       lease_lost  queue_timeout  cancel      cancel_done  cancel_timeout
  QUEUED      RUNNING  ·          ·        ·          FAILED     ·           FAILED         CANCELLED   ·            ·
  RUNNING     ·        RUNNING    RUNNING  SUCCEEDED  FAILED     FAILED      ·              CANCELLING  ·            ·
  CANCELLING  ·        =          =        SUCCEEDED  CANCELLED  CANCELLED   ·              =           CANCELLED    CANCELLED
  SUCCEEDED   ·        ·          ·        ·          ·          ·           ·              =           ·            ·
  FAILED      ·        ·          ·        ·          ·          ·           ·              =           ·            ·
  CANCELLED   ·        ·          ·        ·          ·          ·           ·              =           =            ·
`;
const [names = [], ...lines] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const CELLS = lines.flatMap(([from = '', ...cells]) =>
  cells.map((cell, i) => [from as RunStatus, names[i] as Name, cell] as const),
);

const inStatus = (status: RunStatus): AgentRunState =>
  historyOf(agentRun, [QUEUE, ...WAY_TO[status].map((name) => COMMANDS[name])]).state;
const after = (state: AgentRunState, command: AgentRunCommand): AgentRunState =>
  fold(agentRun, agentRun.decide(command, state), state);

/** As the table has it. More than one event at a time, or a refusal by another name, is in no cell. */
const outcomeOf = (state: AgentRunState, command: AgentRunCommand): string => {
  const refused = refusalOf(() => agentRun.decide(command, state));
  if (refused !== null) return refused === 'conflict' ? '·' : refused;
  const events = agentRun.decide(command, state);
  if (events.length > 1) return events.map(({ type }) => type).join(' and ');
  return events.length === 0 ? '=' : fold(agentRun, events, state).status;
};

describe('a run', () => {
  it('has a cell for every status and command', () => {
    expect(CELLS).toHaveLength(RUN_STATUSES.length * Object.keys(COMMANDS).length);
    for (const status of RUN_STATUSES) expect(inStatus(status).status).toBe(status);
  });

  it.each(CELLS)('%s, told to %s: %s', (from, name, expected) => {
    expect(outcomeOf(inStatus(from), COMMANDS[name])).toBe(expected);
  });

  it.each(Object.values(COMMANDS))('that never was is not found: $type', (command) => {
    expect(refusalOf(() => agentRun.decide(command, agentRun.initial))).toBe('not_found');
  });

  it('is queued once, whoever does it', () => {
    expect(agentRun.decide(QUEUE, inStatus('QUEUED'))).toEqual([]);
    expect(agentRun.decide(QUEUE, inStatus('FAILED'))).toEqual([]);
  });

  it('is handed over once, so that no runtime is asked twice', () => {
    const handed = after(inStatus('RUNNING'), COMMANDS.hand_over);
    expect(handed).toMatchObject({ status: 'RUNNING', runtimeSessionId: 's' });
    expect(refusalOf(() => agentRun.decide(COMMANDS.hand_over, handed))).toBe('conflict');
  });

  it('names the tools that were called and did not answer when it is lost', () => {
    const call = (callId: string): AgentRunCommand => ({
      type: 'emit',
      emission: { kind: 'tool_called', step: 1, callId, tool: `tool ${callId}`, readOnly: false },
      body: null,
      at: 3,
    });
    const answered: AgentRunCommand = {
      type: 'emit',
      emission: { kind: 'tool_answered', step: 1, callId: 'a', isError: false, truncated: false },
      body: null,
      at: 4,
    };
    let state = inStatus('RUNNING');
    for (const command of [call('a'), call('b'), answered, COMMANDS.lease_lost])
      state = after(state, command);
    const open = [{ callId: 'b', tool: 'tool b', readOnly: false }];
    expect(state).toMatchObject({ status: 'FAILED', error: { code: 'worker_lost', openToolCalls: open } });
  });

  it('keeps what failed it after it was asked to stop', () => {
    const [event] = agentRun.decide(COMMANDS.fail, inStatus('CANCELLING'));
    expect(event).toMatchObject({
      type: 'RunCancelled',
      by: 'worker',
      code: 'provider_error',
      message: BODY,
    });
  });

  it.each([
    ['QUEUED', 'cancel', 'caller'],
    ['CANCELLING', 'cancel_done', 'worker'],
    ['CANCELLING', 'fail', 'worker'],
    ['CANCELLING', 'lease_lost', 'lost'],
    ['CANCELLING', 'cancel_timeout', 'timeout'],
  ] as const)('%s, told to %s, is cancelled by: %s', (from, name, by) => {
    expect(agentRun.decide(COMMANDS[name], inStatus(from))).toMatchObject([{ type: 'RunCancelled', by }]);
  });

  it.each([
    ['RUNNING', 'complete', { result: BODY, messages: BODY, error: null, finishedAt: 4 }],
    [
      'RUNNING',
      'fail',
      { error: { code: 'provider_error', message: BODY, openToolCalls: [] }, finishedAt: 5 },
    ],
    ['QUEUED', 'queue_timeout', { error: { code: 'queue_timeout', message: null, openToolCalls: [] } }],
    ['QUEUED', 'cancel', { result: null, error: null, finishedAt: 8 }],
  ] as const)('%s, told to %s, keeps what it came to', (from, name, expected) => {
    expect(after(inStatus(from), COMMANDS[name])).toMatchObject(expected);
  });

  it('leaves no call of a tool open at its end', () => {
    const called: AgentRunCommand = {
      type: 'emit',
      emission: { kind: 'tool_called', step: 1, callId: 'a', tool: 'search', readOnly: true },
      body: null,
      at: 3,
    };
    for (const end of [COMMANDS.complete, COMMANDS.fail]) {
      const state = after(after(inStatus('RUNNING'), called), end);
      expect(state).toMatchObject({ openToolCalls: [] });
    }
  });

  it('is never started twice, and never leaves an end, whatever it is told', () => {
    const told = fc.array(fc.constantFrom(...(Object.keys(COMMANDS) as Name[])), { maxLength: 12 });
    const reached = new Set<RunStatus>();
    fc.assert(
      fc.property(told, (commands) => {
        let state = inStatus('QUEUED');
        let starts = 0;
        let left = false;
        for (const name of commands) {
          const before = state as Extract<AgentRunState, { threadId: string }>;
          const refused = refusalOf(() => agentRun.decide(COMMANDS[name], before)) !== null;
          const events = refused ? [] : agentRun.decide(COMMANDS[name], before);
          starts += events.filter(({ type }) => type === 'RunStarted').length;
          state = fold(agentRun, events, state);
          left = left || (isOver(before.status) && state !== before);
          if (state.status !== 'none') reached.add(state.status);
        }
        expect([starts <= 1, left]).toEqual([true, false]);
      }),
      { numRuns: 2_000 },
    );
    expect(reached.size).toBe(RUN_STATUSES.length);
  });
});
