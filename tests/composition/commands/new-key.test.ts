import { once } from 'node:events';
import { expect, it } from 'vitest';
import { takeUp } from '../../../composition/commands/new-key.ts';

const projecting = () => {
  const ended: string[] = [];
  const project = async (signal: AbortSignal): Promise<void> => {
    await once(signal, 'abort');
    ended.push('ended');
  };
  return { ended, project };
};

it('waits for the view of keys, and no longer projects then', async () => {
  const { ended, project } = projecting();
  const asked: unknown[] = [];
  const reached = async (...args: readonly unknown[]) => (asked.push(args), true);
  expect(await takeUp({ gate: { reached }, project }, '00:7', 5)).toBe('');
  expect([asked, ended]).toEqual([[[['api_key'], '00:7', 5]], ['ended']]);
});

it('says that a key does not work yet where the view of keys stands still', async () => {
  const { ended, project } = projecting();
  const said = await takeUp({ gate: { reached: async () => false }, project }, '00:7', 5);
  expect(said).toContain('It does not work yet');
  expect(said).toContain('role projector');
  expect(ended).toEqual(['ended']);
});
