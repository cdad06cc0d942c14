import type { Me } from 'knowledger-client';
import { expect, it } from 'vitest';
import { lacking } from '../../console/src/needs.ts';

const key: Me = { kind: 'api_key', id: 'k', scopes: ['ingestion:manage'] };
const restricted: Me = { ...key, source_group_ids: ['g'] };
const person: Me = { ...key, kind: 'person' };

it('says what whoever asks lacks: none of several needs, a scope, or a reach', () => {
  expect(lacking(key, [])).toBeNull();
  expect(lacking(key, ['knowledge:read', 'ingestion:manage everywhere'])).toBeNull();
  expect(lacking(restricted, ['ingestion:manage'])).toBeNull();
  const reach = 'This needs a key that is not restricted to source groups.';
  expect(lacking(restricted, ['ingestion:manage everywhere'])).toBe(reach);
  expect(lacking(restricted, ['audit:read', 'ingestion:manage everywhere'])).toBe(reach);
  const scopes = lacking(key, ['audit:read everywhere', 'authz:grant', 'authz:grant', 'knowledge:read']);
  expect(scopes).toBe('This needs a key with the scope audit:read, authz:grant, or knowledge:read.');
  expect(lacking(person, ['authz:grant'])).toContain('your sign-in does not give: ask the operator');
});

it('leaves it to the service to refuse, while that does not say who asks', () => {
  expect(lacking(undefined, ['authz:grant'])).toBeNull();
});
