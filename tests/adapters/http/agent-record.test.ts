import { expect, it } from 'vitest';
import { agentThreadDetail } from '../../../adapters/http/records/agent-record.ts';

it('every run of a tree has the time at which it was made, to the millisecond', () => {
  const times = [1_795_634_004_000, 1_795_634_004_007, 1_795_634_004_999, 1_795_634_003_070, 0];
  const runs = times.map((at, nth) => ({
    id: String(nth),
    threadId: 't',
    parentRunId: null,
    status: 'QUEUED' as const,
    titled: false,
    title: null,
    at,
  }));
  expect(agentThreadDetail('t', runs).runs.map((run) => run.created_at)).toEqual(
    times.map((at) => new Date(at).toISOString()),
  );
});
