import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunFailure, type RunEvent } from '../../../application/agent/run-executor.ts';
import { rowOf, sharedRow, textsIn } from '../../../application/agent/shared-rows.ts';
import { sweepVault } from '../../../application/conversation/sweep.ts';
import { agentWorld, request } from '../../support/agent/agent-world.ts';
import { callerOf } from '../../support/conversations.ts';

const ACME = callerOf('acme');
const AGE = { olderMs: 0, youngerMs: 3_600_000 };
const SAYS: RunEvent = { kind: 'text', step: 1, delta: 'It is 🎈 so.' };
const NOTE: RunEvent = { kind: 'note', code: 'seen', message: 'a note' };

describe('texts that share a row', () => {
  it('are read one by one, whatever they are', () => {
    const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, (given) => {
        const { row, ids } = sharedRow('run/attempt/e0', given);
        expect(new Set(ids.map(rowOf))).toEqual(new Set([row.id]));
        const read = textsIn(new Map([[row.id, row.text]]), ids);
        expect(ids.map((id) => read.get(id))).toEqual(given);
      }),
    );
  });

  it('are left out where their row is not there', () => {
    const { ids } = sharedRow('r/e0', ['one', 'two']);
    expect(textsIn(new Map(), ids).size).toBe(0);
  });

  it('are told by the events of their run, and stay when a run failed and its vault is swept', async () => {
    const world = agentWorld({
      execute: async (_run, emit) => {
        void emit(SAYS);
        await emit(NOTE);
        throw new RunFailure('provider_error', 'the provider refused');
      },
    });
    const { record } = await world.create(ACME, request('Is it so?'));
    await world.work(record.runId);
    expect(await sweepVault(world, new AbortController().signal, AGE)).toEqual({ keys: 0, texts: 0 });

    const { rows } = await world.events.page(ACME, record.runId, null, { limit: 100 });
    const bodies = rows.flatMap(({ event, body }) => (event.type === 'RunEmitted' ? [body] : []));
    expect(bodies).toEqual([{ delta: 'It is 🎈 so.' }, { message: 'a note' }]);
    const [held] = await world.vault.writtenBetween(AGE, '', 9);
    expect(held?.ids.filter((id) => /\/e\d/.test(id))).toHaveLength(1);
  });
});
