import { expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { apiKeyStream } from '../../../application/event-sourcing/streams.ts';
import { keyRings } from '../../../composition/commands/key-rings.ts';
import { apiKey } from '../../../domain/api-key/decider.ts';
import { callerOf } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';
import { writeAsNewer } from '../../support/newer-version.ts';

const NO_LIMITS = { sourceGroupIds: null, expiresAt: null, requestsPerMinute: null, issuer: null };

it('the keys of tenants are told, and of those that a newer version wrote to that they cannot be', async () => {
  const store = createMemoryEventStore();
  const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
  for (const tenant of ['young', 'acme', 'old'].toReversed()) {
    const key = {
      keyId: `key of ${tenant}`,
      keyHash: tenant,
      name: 'n',
      scopes: ['knowledge:read'],
    } as const;
    const command = { type: 'issue', ...key, ...NO_LIMITS, at: 1 } as const;
    await execute(apiKey, apiKeyStream(tenant), command, callerOf(tenant).context);
  }
  await writeAsNewer(store, apiKeyStream('acme'));
  const rings = await keyRings({ feed: store, execute });
  expect(
    [...rings].map(([tenant, ring]) => [tenant, ring && [...ring.keys.values()].map(({ keyId }) => keyId)]),
  ).toEqual([
    ['old', ['key of old']],
    ['acme', null],
    ['young', ['key of young']],
  ]);
});
