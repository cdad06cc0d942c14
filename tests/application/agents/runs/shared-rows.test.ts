import { describe, expect, it } from 'vitest';
import { createMemoryVault } from '../../../support/memory/vault.ts';
import { readBodies } from '../../../../application/agents/runs/bodies.ts';
import { RunFailure, type RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { rowOf } from '../../../../application/agents/runs/shared-rows.ts';
import { sweepVault } from '../../../../application/agents/sweep-vault.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentRun } from '../../../../domain/agent-run/index.ts';
import { together } from '../../../../domain/shared/together.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { callerOf } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const AGE = { olderMs: 0, youngerMs: 3_600_000 };
const SAYS: RunEvent = { kind: 'text', step: 1, delta: 'It is 🎈 so.' };
const NOTE: RunEvent = { kind: 'note', code: 'seen', message: 'a note' };
const THREAD = '0199d2a0-0000-7000-8000-0000000000aa';
/** As a log may hold them; the texts of the row are `It is 🎈 `, `so.` and nothing. */
const ROW = 'run-1/0a1b2c3d/e1';
const [FIRST, SECOND, EMPTY] = [`${ROW}#0-9`, `${ROW}#9-12`, `${ROW}#12-12`];

describe('texts that share a row', () => {
  it('are read by their places, beside those with a row of their own', async () => {
    const vault = createMemoryVault();
    const [owner, alone] = [agentThreadStream(THREAD), 'run-1/0a1b2c3d/e0'];
    await vault.create('acme', owner, [
      { id: ROW, text: 'It is 🎈 so.' },
      { id: alone, text: 'alone' },
    ]);
    const ids = [SECOND, alone, FIRST, EMPTY];
    const read = await readBodies({ vault }, 'acme', THREAD, ids);
    expect(ids.map((id) => read.get(id))).toEqual(['so.', 'alone', 'It is 🎈 ', '']);
    expect([FIRST, SECOND, alone].map(rowOf)).toEqual([ROW, ROW, alone]);
  });

  it('are told, and stay when a run failed and its vault is swept', async () => {
    const world = agentWorld(failing);
    const { record } = await world.create(ACME, request('Is it so?'));
    const { runId, threadId } = record;
    const row = `${runId}/0a1b2c3d/e0`;
    const text = '{"delta":"It is 🎈 so."}{"message":"a note"}';
    await world.vault.put('acme', agentThreadStream(threadId), [{ id: row, text }]);
    const named = (place: string) => ({ bodyId: `${row}#${place}`, digest: 'd', bytes: 1 });
    await world.execute(
      together(agentRun),
      agentRunStream(runId),
      [
        { ...CLAIM, at: 1_790_000_100_000 },
        { type: 'emit', emission: { kind: 'text', step: 1 }, body: named('0-24'), at: 1_790_000_100_000 },
        {
          type: 'emit',
          emission: { kind: 'note', code: 'seen' },
          body: named('24-44'),
          at: 1_790_000_100_000,
        },
        { type: 'fail', code: 'provider_error', message: null, at: 1_790_000_100_000 },
      ],
      { tenant: 'acme', actor: { kind: 'worker', id: 'worker-1' }, correlationId: runId, causationId: runId },
    );
    expect(await sweepVault(world, new AbortController().signal, AGE)).toEqual({ keys: 0, texts: 0 });
    expect(await toldBy(world, runId)).toEqual([{ delta: 'It is 🎈 so.' }, { message: 'a note' }]);
  });
});

const CLAIM = {
  type: 'claim',
  workerId: 'worker-1',
  contextStartRunId: null,
  contextTruncated: false,
  contextMessages: 0,
  contextDigest: 'd',
} as const;

const failing = {
  execute: async (_run: unknown, emit: (event: RunEvent) => Promise<void>): Promise<never> => {
    void emit(SAYS);
    await emit(NOTE);
    throw new RunFailure('provider_error', 'the provider refused');
  },
};

/** Bodies of what the run has emitted. */
const toldBy = async (
  { events }: ReturnType<typeof agentWorld>,
  runId: string,
): Promise<readonly unknown[]> => {
  const { rows } = await events.page(ACME, runId, null, { limit: 100 });
  return rows.flatMap(({ event, body }) => (event.type === 'RunEmitted' ? [body] : []));
};
