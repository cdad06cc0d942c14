import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AdmitRun,
  agentThread,
  type AgentThreadCommand,
  MAX_UNSETTLED,
  type OpenThread,
  type RunAdmitted,
} from '../../../domain/agent-thread/decider.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';
import { RUN_FACTS } from '../../support/agent/run-facts.ts';

const admit = (runId: string, changes: Partial<AdmitRun> = {}): AdmitRun => ({
  type: 'admit',
  runId,
  starts: false,
  concurrency: 'reject',
  ended: [],
  ...RUN_FACTS,
  ...changes,
});
const first = (changes: Partial<AdmitRun> = {}) => admit('r1', { starts: true, ...changes });
const remove = (principalId: string | null = null): AgentThreadCommand => ({
  type: 'delete',
  principalId,
  at: 9,
});

const decided = (command: AgentThreadCommand, ...earlier: readonly AgentThreadCommand[]) =>
  agentThread.decide(command, historyOf(agentThread, earlier).state);
const refusal = (command: AgentThreadCommand, ...earlier: readonly AgentThreadCommand[]) =>
  refusalOf(() => decided(command, ...earlier));
const admission = (...args: Parameters<typeof decided>) => decided(...args).at(-1) as RunAdmitted;

describe('a thread', () => {
  it('begins with its first run, which has no parent', () => {
    expect(decided(first()).map(({ type }) => type)).toEqual(['AgentThreadStarted', 'RunAdmitted']);
    expect(admission(first())).toMatchObject({ runId: 'r1', parentRunId: null, afterRunId: null });
  });

  it('goes on at the run that was admitted last, or where it is told', () => {
    const second = admit('r2', { ended: ['r1'] });
    const third = admit('r3', { ended: ['r2'] });
    expect(admission(third, first(), second).parentRunId).toBe('r2');
    expect(admission({ ...third, parentRunId: 'r1' }, first(), second).parentRunId).toBe('r1');
    expect(admission({ ...third, parentRunId: null }, first(), second).parentRunId).toBeNull();
  });

  it('takes no other run while one is not over', () => {
    expect(refusal(admit('r2'), first())).toBe('thread_busy');
    expect(refusal(admit('r2', { ended: ['r1'] }), first())).toBeNull();
  });

  it('lets runs wait in the order of their arrival', () => {
    const waiting = { concurrency: 'enqueue' } as const;
    expect(admission(admit('r2', waiting), first()).afterRunId).toBe('r1');
    expect(admission(admit('r3', waiting), first(), admit('r2', waiting)).afterRunId).toBe('r2');
    const ended = { ...waiting, ended: ['r1', 'r2'] };
    expect(admission(admit('r3', ended), first(), admit('r2', waiting)).afterRunId).toBeNull();
  });

  it('lets no more wait than it can remember', () => {
    const waiting = Array.from({ length: MAX_UNSETTLED - 1 }, (_, i) =>
      admit(`w${i}`, { concurrency: 'enqueue' }),
    );
    expect(refusal(admit('x', { concurrency: 'enqueue' }), first(), ...waiting)).toBe('thread_busy');
    expect(refusal(admit('x', { concurrency: 'enqueue' }), first(), ...waiting.slice(1))).toBeNull();
  });

  it('is told the same twice with the same run alone', () => {
    expect(decided(first(), first())).toEqual([]);
    const second = admit('r2', { ended: ['r1'] });
    expect(decided(second, first(), second)).toEqual([]);
    expect(refusal(admit('r2', { starts: true }), first())).toBe('conflict');
  });

  it('is found by its principal alone, and by nobody once it is deleted', () => {
    const ofJo = first({ principalId: 'jo' });
    expect(refusal(admit('r2', { ended: ['r1'] }), ofJo)).toBe('not_found');
    expect(refusal(admit('r2', { ended: ['r1'], principalId: 'al' }), ofJo)).toBe('not_found');
    expect(refusal(admit('r2', { ended: ['r1'], principalId: 'jo' }), ofJo)).toBeNull();
    expect(refusal(admit('r2'))).toBe('not_found');
    expect(refusal(remove('jo'), first())).toBe('not_found');
    expect(refusal(admit('r2', { ended: ['r1'] }), first(), remove())).toBe('not_found');
    expect(refusal(remove(), first(), remove())).toBe('not_found');
  });

  it('remembers whose it was, what it could tell of, and what may still run, when it is deleted', () => {
    const ofJo = first({ principalId: 'jo', sourceGroupIds: ['a'] });
    const { state } = historyOf(agentThread, [ofJo, remove('jo')]);
    expect(state).toEqual({ status: 'deleted', principalId: 'jo', reach: ['a'], unsettled: ['r1'] });
  });

  it('may tell of what any of its runs could see', () => {
    const second = admit('r2', { ended: ['r1'], sourceGroupIds: ['b'] });
    expect(admission(second, first({ sourceGroupIds: ['a'] })).reach).toEqual(['a', 'b']);
    expect(admission(second, first()).reach).toBeNull();
  });

  it('knows no more, however many runs it has', () => {
    const commands = Array.from({ length: 500 }, (_, i) =>
      i === 0 ? first() : admit(`r${i + 1}`, { ended: [`r${i}`] }),
    );
    const { state } = historyOf(agentThread, commands);
    expect((state as OpenThread).unsettled).toEqual(['r500']);
    expect(JSON.stringify(state).length).toBeLessThan(200);
  });
});

describe('the runs of a thread, whatever is asked and ends', () => {
  it('are a tree, each after its parent, in a queue without gaps', () => {
    const ask = fc.record({
      parent: fc.option(fc.nat(30), { nil: undefined }),
      root: fc.nat(9),
      enqueue: fc.boolean(),
      endsBefore: fc.nat(3),
    });
    let siblings = 0;
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 30 }), (asks) => {
        let state = agentThread.initial;
        const parents = new Map<string, string | null>();
        const living: string[] = [];
        for (const [i, { parent, root, enqueue, endsBefore }] of asks.entries()) {
          const ended = living.splice(0, endsBefore);
          const known = [...parents.keys()];
          const chosen = parent === undefined ? undefined : known[parent % Math.max(known.length, 1)];
          const command = admit(`r${i}`, {
            starts: state.status === 'none',
            concurrency: enqueue ? 'enqueue' : 'reject',
            ended,
            ...(root === 0 ? { parentRunId: null } : chosen !== undefined && { parentRunId: chosen }),
          });
          const before = state;
          const refused = refusalOf(() => agentThread.decide(command, before));
          expect(refused).toBe(living.length > 0 && !enqueue ? 'thread_busy' : null);
          if (refused !== null) {
            living.unshift(...ended);
            continue;
          }
          const events = agentThread.decide(command, state);
          const { runId, parentRunId, afterRunId } = events.at(-1) as RunAdmitted;
          expect(afterRunId).toBe(living.at(-1) ?? null);
          expect(parentRunId === null || parents.has(parentRunId)).toBe(true);
          siblings += [...parents.values()].filter((one) => one === parentRunId).length > 0 ? 1 : 0;
          parents.set(runId, parentRunId);
          living.push(runId);
          state = fold(agentThread, events, state);
          expect((state as OpenThread).unsettled).toEqual(living);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(siblings).toBeGreaterThan(500);
  });
});
