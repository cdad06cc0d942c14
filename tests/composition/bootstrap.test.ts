import { expect, it } from 'vitest';
import { apiKeyStream } from '../../application/event-sourcing/streams.ts';
import { ensureKey } from '../../composition/bootstrap.ts';
import { apiKey, type IssueApiKey, SCOPES } from '../../domain/api-key/decider.ts';
import { callerOf } from '../support/conversations.ts';
import { memoryParts } from '../support/memory-parts.ts';

const { context } = callerOf('acme');

/** A tenant with these keys, as an earlier version issued them. */
const tenantWith = async (...names: readonly string[]) => {
  const parts = memoryParts();
  const issue = (name: string): IssueApiKey => ({
    type: 'issue',
    keyId: `id of ${name}`,
    name,
    keyHash: parts.hash.sha256(`key of ${name}`),
    scopes: ['apikeys:issue', 'knowledge:read'],
    sourceGroupIds: null,
    expiresAt: null,
    requestsPerMinute: null,
    issuer: null,
    at: 100,
  });
  for (const name of names) await parts.execute(apiKey, apiKeyStream('acme'), issue(name), context);
  const deps = { ...parts, secrets: { newApiKey: () => 'a new key' } };
  return {
    start: (given: string | undefined) => ensureKey(deps, 'acme', given),
    scopes: async (): Promise<Readonly<Record<string, number>>> => {
      const { state } = (await parts.execute.load(apiKey, apiKeyStream('acme'), 'acme'))!;
      return Object.fromEntries([...state.keys.values()].map(({ name, scopes }) => [name, scopes.length]));
    },
    events: async () => (await parts.stored(apiKeyStream('acme'))).length,
  };
};

it('a start gives the bootstrap key the scopes that have come since it was issued, once', async () => {
  const { start, scopes, events } = await tenantWith('first key', 'Jo');
  for (const _ of ['one start', 'the next']) {
    expect(await start('key of first key')).toMatchObject({ key: null });
    expect(await scopes()).toEqual({ 'first key': SCOPES.length, Jo: 2 });
  }
  expect(await events()).toBe(3);
});

it('a start leaves keys as they are that people made, and those that nobody gives it', async () => {
  const { start, scopes, events } = await tenantWith('first key', 'Jo');
  for (const given of ['key of Jo', undefined]) expect(await start(given)).toMatchObject({ key: null });
  expect(await scopes()).toEqual({ 'first key': 2, Jo: 2 });
  expect(await events()).toBe(2);
});
