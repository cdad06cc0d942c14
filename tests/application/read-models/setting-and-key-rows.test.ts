import { describe, expect, it } from 'vitest';
import type { ApiKeyRow } from '../../../application/ports/access-views.ts';
import type { IngestionSettingRow } from '../../../application/ports/data-source-view.ts';
import { apiKeyRow } from '../../../application/read-models/api-key-row.ts';
import {
  ingestionSettingRow,
  ingestionSettingRowOf,
} from '../../../application/read-models/ingestion-setting-row.ts';
import { type DefinedSetting, ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { EXAMPLES } from '../event-sourcing/event-examples.ts';

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

  it('is what the state of the same events says', () => {
    const state = fold(ingestionSetting, history, ingestionSetting.initial);
    expect(ingestionSettingRowOf(state as DefinedSetting, place(3n))).toStrictEqual(rowAfter(history));
  });

  it('needs its creation first', () => {
    expect(() => ingestionSettingRow(null, renamed!, place(0n))).toThrow('before IngestionSettingCreated');
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
