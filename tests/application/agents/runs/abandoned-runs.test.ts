import { expect, it } from 'vitest';
import type { Abandoned } from '../../../../application/ports/leases.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';

const ACME = callerOf('acme');
const opened = async () => {
  const warned: unknown[] = [];
  const log = {
    info: () => {},
    warn: (message: string, facts?: object) => void warned.push([message, facts]),
    error: () => {},
  };
  const world = agentWorld(
    scriptedExecutor(() => []),
    { log },
  );
  const { record } = await world.create(ACME, request('Is it so?'));
  const abandoned = (more: Partial<Abandoned>) =>
    world.handler.abandoned!({
      kind: 'agent_run',
      id: record.runId,
      tenant: 'acme',
      worker: 'lost',
      overdue: true,
      claim: { status: 'QUEUED' },
      ...more,
    });
  return { world, abandoned, warned, runId: record.runId };
};

it('a run that waits for less is left alone, and so is one that is not there', async () => {
  const { world, abandoned, warned, runId } = await opened();
  await abandoned({ overdue: false });
  await abandoned({ id: idOf(9) });
  await abandoned({ id: idOf(9), overdue: false });
  expect([await world.typesOf(runId), warned]).toEqual([['RunQueued'], []]);
});
