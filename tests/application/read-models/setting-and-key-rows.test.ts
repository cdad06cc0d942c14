import type { ApiKeyRow } from '../../../application/ports/access-views.ts';
import type { IngestionSettingRow } from '../../../application/ports/data-source-view.ts';
import type { SecretRow } from '../../../application/ports/secrets.ts';
import {
  apiKeyRow,
  authzPolicyRow,
  authzSubjectRow,
  secretRow,
} from '../../../application/read-models/access-rows.ts';
import { ingestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { redactionPolicyRow } from '../../../application/read-models/redaction-policy-row.ts';
import type { SecretEvent } from '../../../domain/secret/decider.ts';
import { EXAMPLES } from '../event-sourcing/event-examples.ts';
import { describe, expect, it } from 'vitest';

const place = (revision: bigint) => ({ id: 'setting-1', tenant: 'acme', revision });

describe('the row of an ingestion setting', () => {
  const [settingCreated] = EXAMPLES.IngestionSettingCreated;
  const [renamed] = EXAMPLES.IngestionSettingRenamed;
  const [scheduled] = EXAMPLES.ScheduleSet;
  const [unscheduled] = EXAMPLES.ScheduleRemoved;
  const history = [settingCreated!, renamed!, scheduled!, unscheduled!];
  const rowAfter = (events: typeof history, from: IngestionSettingRow | null = null) =>
    events.reduce((row, event, i) => ingestionSettingRow(row, event, place(BigInt(i))), from);

  it('holds the newest name and schedule', () => {
    const { dataSourceId, parameters } = settingCreated!;
    const row = rowAfter(history.slice(0, 3));
    const name = 'Documentation';
    const { schedule } = scheduled!;
    expect(row).toStrictEqual({ ...place(2n), dataSourceId, name, parameters, schedule });
    expect(rowAfter(history)).toStrictEqual({
      ...row,
      schedule: null,
      revision: 3n,
    });
  });

  it('does not change by events that it holds already', () => {
    const row = rowAfter(history);
    expect(rowAfter(history, row)).toBe(row);
  });
});

describe('the row of an API key', () => {
  const [issued] = EXAMPLES.ApiKeyIssued;
  const [rotated] = EXAMPLES.ApiKeyRotated;
  const [revoked] = EXAMPLES.ApiKeyRevoked;
  const at = (revision: bigint) => ({ tenant: 'acme', revision });
  const row = apiKeyRow(null, issued!, at(4n));

  it('holds the powers of the key and the hash by which it is found', () => {
    const { type: _, keyId: id, at: createdAt, ...facts } = issued!;
    expect(row).toStrictEqual({ id, tenant: 'acme', ...facts, createdAt, revision: 4n });
  });

  it('is found by the new hash alone once it is rotated', () => {
    expect(apiKeyRow(row, rotated!, at(6n))).toStrictEqual({
      ...row,
      keyHash: rotated?.keyHash,
      revision: 6n,
    });
  });

  it('is gone once it is revoked, and rotation does not bring it back', () => {
    expect(apiKeyRow(row, revoked!, at(6n))).toBeNull();
    expect(apiKeyRow(null, rotated!, at(7n))).toBeNull();
  });

  it('does not change by events that it holds already', () => {
    expect(apiKeyRow(row, rotated!, at(4n))).toBe(row);
    expect(apiKeyRow(row, revoked!, at(3n))).toBe(row as ApiKeyRow);
  });
});

const of = (revision: bigint) => ({ id: 'x', tenant: 'acme', revision });

describe('the row of a secret', () => {
  const [created] = EXAMPLES.SecretCreated;
  const first = secretRow(null, created!, of(0n))!;
  const after = (row: SecretRow, event: SecretEvent) => secretRow(row, event, of(row.revision + 1n));
  const { at } = created!;

  it('holds what was said of it when it was created, and nothing of its value', () => {
    expect(first).toStrictEqual({
      ...of(0n),
      name: created!.name,
      secretType: 'token',
      expiresAt: null,
      createdAt: at,
      changedAt: at,
      inUse: 0,
      deleted: false,
    });
  });

  it('follows what happens to it', () => {
    const changed = { type: 'SecretChanged', name: 'Other', expiresAt: 9, at: at + 1 } as const;
    const told: readonly (readonly [SecretEvent, Partial<SecretRow>])[] = [
      [changed, { name: 'Other', expiresAt: 9, changedAt: at + 1 }],
      [{ type: 'SecretValueReplaced', valueId: 'v', at: at + 2 }, { changedAt: at + 2 }],
      [{ type: 'SecretRenewed', valueId: 'v', at: at + 3 }, {}],
      [{ type: 'SecretAttached', dataSourceId: 'd', at: at + 4 }, { inUse: 1 }],
      [{ type: 'SecretDeleted', at: at + 5 }, { deleted: true }],
    ];
    for (const [event, more] of told)
      expect(after(first, event)).toStrictEqual({ ...first, ...more, revision: 1n });
    const attached = after(first, { type: 'SecretAttached', dataSourceId: 'd', at })!;
    expect(after(attached, { type: 'SecretDetached', dataSourceId: 'd', at })!.inUse).toBe(0);
  });

  it('is not changed by what it holds, and is none before its creation', () => {
    const deleted = { type: 'SecretDeleted', at } as const;
    expect(secretRow(first, deleted, of(0n))).toBe(first);
    expect(secretRow(null, deleted, of(1n))).toBeNull();
  });
});

describe('the row of a redaction policy', () => {
  const [created] = EXAMPLES.RedactionPolicyCreated;
  const [changed] = EXAMPLES.RedactionPolicyChanged;
  const [deleted] = EXAMPLES.RedactionPolicyDeleted;
  const first = redactionPolicyRow(null, created!, of(0n))!;
  const later = <T extends { readonly at: number }>(event: T): T => ({ ...event, at: event.at + 7 });

  it('holds the newest of it, and when that was said', () => {
    const { type: _, at, ...facts } = created!;
    expect(first).toStrictEqual({ ...of(0n), ...facts, createdAt: at, changedAt: at, deleted: false });
    const { type: __, at: ___, ...other } = changed!;
    const second = redactionPolicyRow(first, later(changed!), of(1n))!;
    expect(second).toStrictEqual({ ...first, ...other, changedAt: at + 7, revision: 1n });
    const gone = redactionPolicyRow(second, later(deleted!), of(2n));
    expect(gone).toStrictEqual({ ...second, deleted: true, changedAt: at + 7, revision: 2n });
  });

  it('is not changed by what it holds, and is none before its creation', () => {
    for (const event of [created!, changed!, deleted!])
      expect(redactionPolicyRow(first, event, of(0n))).toBe(first);
    for (const event of [changed!, deleted!]) expect(redactionPolicyRow(null, event, of(3n))).toBeNull();
  });
});

describe('the rows of authorization', () => {
  const at = (revision: bigint) => ({ tenant: 'acme', revision });
  const [created] = EXAMPLES.AuthzPolicyCreated;
  const [changed] = EXAMPLES.AuthzPolicyChanged;
  const [deleted] = EXAMPLES.AuthzPolicyDeleted;
  const [set] = EXAMPLES.AuthzAttributesSet;
  const [unset] = EXAMPLES.AuthzAttributesDeleted;

  it('hold the newest of a policy, as long as it is there', () => {
    const first = authzPolicyRow(null, created!, at(0n))!;
    expect(first).toMatchObject({
      ...at(0n),
      name: 'by_department',
      description: 'What a department may read',
    });
    const second = authzPolicyRow(first, changed!, at(1n))!;
    expect(second).toMatchObject({ ...at(1n), description: '', sourceMetadata: null });
    expect(authzPolicyRow(second, deleted!, at(2n))).toBeNull();
    expect(authzPolicyRow(second, deleted!, at(1n))).toBe(second);
    // What was read ahead of these is not there any more.
    for (const event of [changed!, deleted!]) expect(authzPolicyRow(null, event, at(3n))).toBeNull();
    expect(authzPolicyRow(null, created!, at(4n))).toMatchObject(at(4n));
  });

  it('hold what is known of a principal for each policy, the newest in its place', () => {
    const first = authzSubjectRow(null, set!, at(0n))!;
    const { principalId, attributes, at: createdAt } = set!;
    const own = { authzPolicy: 'default', attributes };
    expect(first).toStrictEqual({ ...at(0n), principalId, createdAt, policies: [own] });
    const other = { ...set!, authzPolicy: 'other', attributes: { level: 1 }, at: createdAt + 1 };
    const second = authzSubjectRow(first, other, at(1n))!;
    const beside = { authzPolicy: 'other', attributes: { level: 1 } };
    expect(second).toStrictEqual({ ...first, policies: [own, beside], revision: 1n });
    const third = authzSubjectRow(second, { ...set!, attributes: { level: 2 } }, at(2n));
    const newer = { authzPolicy: 'default', attributes: { level: 2 } };
    expect(third).toStrictEqual({ ...first, policies: [newer, beside], revision: 2n });
    expect(authzSubjectRow(second, unset!, at(1n))).toBe(second);
    expect(authzSubjectRow(second, unset!, at(2n))).toBeNull();
  });
});
