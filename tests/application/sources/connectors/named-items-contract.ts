import { describe, expect, it } from 'vitest';
import { type ConnectorUnderTest, documentsOf, underTest } from './under-test.ts';

/** What a connector with `itemsToSync` promises beside. */
export const namedItemsContract = (name: string, connector: ConnectorUnderTest): void => {
  describe(`${name} as a connector that syncs items by their names`, { timeout: 120_000 }, () => {
    const { world, stored } = underTest(connector);

    it('looks at the items that a sync names, and leaves all others', async () => {
      const { provider, id } = await stored();
      for (const each of ['one', 'two']) provider.put(each, 'Another title');
      provider.remove('three');
      provider.remove('four');
      await world().sync(id, 'incremental', ['one', 'three'].map(provider.locatorOf));
      await world().attempt(id);
      expect(await world().documents(id)).toEqual({
        ...documentsOf(['two', 'four', 'five'], provider),
        [provider.locatorOf('one')]: 'Another title',
      });
    });
  });
};
