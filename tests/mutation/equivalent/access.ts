import type { Equivalents } from '../equivalent.ts';

/** Of keys of the API, and of what policies allow. */
export const ACCESS: readonly Equivalents[] = [
  {
    file: 'application/access/api-keys/authenticate.ts',
    why: 'what is kept of a key that is gone is past its time, and is looked up again all the same',
    mutants: [['known.delete(keyHash);', ';']],
  },
  {
    file: 'application/access/api-keys/operations.ts',
    why: 'a command that was not refused has met its guard, and the key is there, which the compiler is to be told',
    mutants: [
      ['keyHash !== undefined', 'true'],
      ['key === undefined', 'false'],
      ["revision === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/access/api-keys/operations.ts',
    why: 'what the view knows the events know too, at a higher cost',
    mutants: [['row !== null', 'false']],
  },
  {
    file: 'application/access/api-keys/operations.ts',
    why: 'no state is there only of a stream of another tenant, and the tenant is the name of this one',
    mutants: [
      [
        '(await execute.load(apiKey, apiKeyStream(caller.tenant), caller.tenant))?.state',
        '(await execute.load(apiKey, apiKeyStream(caller.tenant), caller.tenant)).state',
      ],
      ['ring?.keys', 'ring.keys'],
      ['ring?.revoked', 'ring.revoked'],
    ],
  },
  {
    file: 'application/access/authz/policy-operations.ts',
    why: 'ids that were made just now are in no event; only one event has the id of a policy',
    mutants: [
      ['claimed.replayed', 'true'],
      ["event.type === 'AuthzPolicyCreated'", 'true'],
    ],
  },
  {
    file: 'application/access/authz/policy-operations.ts',
    why: 'a policy that was written just now is there, which the compiler is to be told',
    mutants: [['policy === null', 'false']],
  },
  {
    file: 'application/access/authz/read-authz.ts',
    why: 'no state is there only of a stream of another tenant, and the tenant is in the name of this one',
    mutants: [['found === null', 'false']],
  },
];
