import { describe, expect, it } from 'vitest';
import { type OpenSearchIndex, tenantOf } from './search-index-world.ts';

export const unwrittenContract = (world: () => OpenSearchIndex): void => {
  describe('words that no content has', () => {
    const open = async () => {
      const opened = tenantOf(world());
      await opened.write('a', { group: 'open', texts: ['Replication slots keep what a standby needs.'] });
      await opened.write('b', { group: 'closed', texts: ['A confidential handbook.'] });
      const unwritten = async (query: string, only: readonly string[] | null = null) =>
        (await opened.rank(query, {}, opened.scope(only))).unwritten?.map(({ word }) => word);
      return { ...opened, unwritten };
    };

    it('are told beside what was found, but no stop words', async () => {
      const { unwritten } = await open();
      expect(await unwritten('the gizmo of x11 slots')).toEqual(['gizmo', 'x11']);
      expect(await unwritten('slots of replication')).toBeUndefined();
    });

    it('are those of the corrected query', async () => {
      const { rank } = await open();
      const { correctedQuery, unwritten } = await rank('replicaton gizmo');
      expect([correctedQuery, unwritten?.map(({ word }) => word)]).toEqual(['replication gizmo', ['gizmo']]);
    });

    it('are not told where nothing was found', async () => {
      const { unwritten } = await open();
      expect(await unwritten('gizmo')).toBeUndefined();
    });

    it('are in no content of the tenant, whatever the scope sees', async () => {
      const { unwritten } = await open();
      expect(await unwritten('confidential slots', ['open'])).toBeUndefined();
    });
  });
};
