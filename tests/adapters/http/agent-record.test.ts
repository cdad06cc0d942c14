import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentThreadDetail } from '../../../adapters/http/records/agent-record.ts';
import { RUN_STATUSES } from '../../../domain/agent-run/index.ts';
import { anyCharacter } from '../../support/any-character.ts';

const THREAD = '0199d2a0-0000-7000-8000-000000000001';

const sent = (...args: Parameters<typeof agentThreadDetail>): unknown =>
  JSON.parse(agentThreadDetail(...args));

it('a tree is sent as JSON that holds its runs in their order, whatever they are called', () => {
  const row = fc.record({
    id: fc.uuid(),
    threadId: fc.constant(THREAD),
    parentRunId: fc.option(fc.uuid()),
    status: fc.constantFrom(...RUN_STATUSES),
    at: fc.integer({ min: 0, max: 4e12 }),
    title: fc.option(fc.string({ unit: anyCharacter })),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (given) => {
      const rows = given.map(({ title, ...run }) => ({ ...run, titled: title !== null }));
      const titles = new Map(
        given.flatMap(({ id, title }) => (title === null ? [] : [[id, title] as const])),
      );
      expect(sent(THREAD, { rows, titles })).toEqual({
        thread_id: THREAD,
        runs: given.map(({ id, parentRunId, status, at, title }) => ({
          run_id: id,
          parent_run_id: parentRunId,
          status,
          title,
          created_at: new Date(at).toISOString(),
        })),
      });
    }),
  );
});
