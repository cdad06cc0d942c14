import { describe, expect, it } from 'vitest';
import { readTenantRequest } from '../../../composition/commands/tenant.ts';
import { ConfigError } from '../../../composition/config.ts';

const ID = '00000000-0000-8000-8000-000000000001';

describe('the arguments of the command for tenants', () => {
  it.each([
    [['Acme'], { type: 'make', name: 'Acme' }],
    [['Another team 2.0_x-y'], { type: 'make', name: 'Another team 2.0_x-y' }],
    [['a'.repeat(100)], { type: 'make', name: 'a'.repeat(100) }],
    [['list'], { type: 'list' }],
    [['key', ID], { type: 'key', tenant: ID }],
    [['key', 'Another team'], { type: 'key', tenant: 'Another team' }],
  ])('%j mean %j', (args, request) => {
    expect(readTenantRequest(args)).toEqual(request);
  });

  it.each([
    [[]],
    [['']],
    [[' ']],
    [['   ']],
    [[' Acme']],
    [['Acme ']],
    [['---']],
    [['a\tb']],
    [['a\nb']],
    [['a'.repeat(101)]],
    [['Acme', 'Corp']],
    [['key']],
    [['key', ID, ID]],
    [['list', 'all']],
  ])('%j are refused with what can be asked for', (args) => {
    expect(() => readTenantRequest(args)).toThrow(ConfigError);
    expect(() => readTenantRequest(args)).toThrow(/usage: npm run tenant -- <name>/);
  });
});
