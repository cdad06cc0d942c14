import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryEventStore } from '../support/memory/event-store.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { apiKeyStream } from '../../application/event-sourcing/streams.ts';
import { HELP, helpFor, serviceAddress, USAGE } from '../../composition/commands/arguments.ts';
import { keyRings, readTenantRequest, takeUp } from '../../composition/commands/tenant.ts';
import { readConfig } from '../../composition/config/config.ts';
import { ConfigError } from '../../composition/config/environment.ts';
import { main } from '../../composition/main.ts';
import { apiKey } from '../../domain/api-key/decider.ts';
import { callerOf } from '../support/conversations.ts';
import { countingIds } from '../support/ids.ts';
import { writeAsNewer } from '../support/newer-version.ts';

describe('the help of the program', () => {
  it('tells of each command how it is called', () => {
    for (const [command, text] of Object.entries(HELP)) {
      expect(text.split('\n')[0]).toMatch(new RegExp(`^usage: knowledger ${command}( |$)`));
      expect(USAGE).toMatch(new RegExp(`knowledger ${command} `));
    }
  });

  it.each(Object.keys(HELP))('is told by %s instead of what it does', async (command) => {
    const told = vi.spyOn(console, 'log').mockImplementation(() => {});
    await main([command, '--help']);
    const [text, ...more] = told.mock.calls.flat();
    expect(more).toEqual([]);
    expect(text).toContain(HELP[command as never]);
    expect(text).toMatch(new RegExp(`^For example: .*knowledger ${command}`, 'm'));
    told.mockRestore();
  });

  it('is told of the service too', () =>
    expect(helpFor(['serve', '--help'])).toMatch(
      /^usage: knowledger serve$[^]*^For example: .*knowledger serve$/m,
    ));

  it.each([[['--help']], [['-h']], [['help']], [['no-such-command', '--help']]])(
    'lists the commands for %j',
    (args) => expect(helpFor(args)).toBe(USAGE),
  );
});

it('a command speaks to the service that its options name, else the environment, else the configuration', () => {
  const of = (env: Readonly<Record<string, string>>, given: { readonly url?: string } = {}) =>
    serviceAddress(readConfig(env, true), given, 'give a key');
  const key = 'k'.repeat(20);
  expect(of({ PORT: '8080', KNOWLEDGER_BOOTSTRAP_KEY: key })).toEqual({ key, url: 'http://127.0.0.1:8080' });
  const env = {
    KNOWLEDGER_API_KEY: 'mine',
    KNOWLEDGER_BOOTSTRAP_KEY: key,
    KNOWLEDGER_URL: 'https://kb.example',
  };
  expect(of(env)).toEqual({ key: 'mine', url: 'https://kb.example' });
  expect(of(env, { url: 'https://kb.example/api/v1/' }).url).toBe('https://kb.example');
  expect(() => of(env, { url: 'kb.example' })).toThrow('is not the address of a service');
  expect(() => of({})).toThrow(new ConfigError('give a key'));
});

describe('the command for tenants', () => {
  const ID = '00000000-0000-8000-8000-000000000001';

  it.each([
    [['Another team 2.0_x-y'], { type: 'make', name: 'Another team 2.0_x-y' }],
    [['a'.repeat(100)], { type: 'make', name: 'a'.repeat(100) }],
    [['list'], { type: 'list' }],
    [['key', ID], { type: 'key', tenant: ID }],
    [['key', 'Another team'], { type: 'key', tenant: 'Another team' }],
  ])('takes %j for %j', (args, request) => {
    expect(readTenantRequest(args)).toEqual(request);
  });

  it.each([
    [[]],
    [[' ']],
    [[' Acme']],
    [['---']],
    [['a\tb']],
    [['a'.repeat(101)]],
    [['Acme', 'Corp']],
    [['key']],
    [['key', ID, ID]],
    [['list', 'all']],
  ])('refuses %j with what can be asked for', (args) => {
    expect(() => readTenantRequest(args)).toThrow(ConfigError);
    expect(() => readTenantRequest(args)).toThrow(/usage: knowledger tenant <name>/);
  });

  it('lists the keys of tenants, and those that a newer version wrote to as unknown', async () => {
    const store = createMemoryEventStore();
    const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
    const limits = { sourceGroupIds: null, expiresAt: null, requestsPerMinute: null, issuer: null };
    for (const tenant of ['old', 'acme', 'new']) {
      const key = {
        keyId: `key of ${tenant}`,
        keyHash: tenant,
        name: 'n',
        scopes: ['knowledge:read'],
      } as const;
      const command = { type: 'issue', ...key, ...limits, at: 1 } as const;
      await execute(apiKey, apiKeyStream(tenant), command, callerOf(tenant).context);
    }
    await writeAsNewer(store, apiKeyStream('acme'));
    const rings = await keyRings({ feed: store, execute });
    expect(
      [...rings].map(([tenant, ring]) => [tenant, ring && [...ring.keys.values()].map(({ keyId }) => keyId)]),
    ).toEqual([
      ['old', ['key of old']],
      ['acme', null],
      ['new', ['key of new']],
    ]);
  });

  it.each([
    ['nothing', true, /^$/],
    ['that it does not work yet', false, /It does not work yet.*role projector/s],
  ])('says %s of a new key where the view of keys has come so far: %s', async (_, works, said) => {
    const told: unknown[] = [];
    const reached = async (...args: readonly unknown[]) => (told.push(args), works);
    const project = async (signal: AbortSignal): Promise<void> => {
      await once(signal, 'abort');
      told.push('projects no longer');
    };
    expect(await takeUp({ gate: { reached }, project }, '00:7', 5)).toMatch(said);
    expect(told).toEqual([[['api_key'], '00:7', 5], 'projects no longer']);
  });
});
