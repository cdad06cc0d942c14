import { describe, expect, it } from 'vitest';
import type { DataSourceRow } from '../../../application/ports/data-source-view.ts';
import { chunkMetadata } from '../../../application/read-models/chunk-metadata.ts';
import { dataSourceRow, dataSourceRowOfUnknown } from '../../../application/read-models/data-source-row.ts';
import { ingestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { EXAMPLES } from '../event-sourcing/event-examples.ts';

const of = (revision: bigint) => ({ id: 'x', tenant: 'acme', revision });

describe('the row of a data source', () => {
  const [registered] = EXAMPLES.DataSourceRegistered;
  const [uploaded] = EXAMPLES.FilesUploaded;
  const first = dataSourceRow(null, registered!, of(0n))!;
  const later = first.heardAt + 50;

  it('tells when files were uploaded, and what their chunks may be filtered by, which says nothing of its worker', () => {
    const event = { ...uploaded!, at: later };
    const row = { ...first, uploadedAt: later, revision: 1n };
    expect(dataSourceRow(first, event, of(1n))).toStrictEqual(row);
    const chunkMetadataKeys = [{ key: 'page', type: 'integer' }] as const;
    expect(dataSourceRow(first, { ...event, chunkMetadataKeys }, of(1n))).toStrictEqual({
      ...row,
      subject: { kind: 'local_file_group', chunkMetadataKeys },
    });
  });

  it('cannot say what its status is after an event of a newer version', () => {
    const unknown: DataSourceRow = { ...first, status: 'unknown', revision: 1n };
    expect(dataSourceRowOfUnknown(first, 1n)).toStrictEqual(unknown);
    expect(dataSourceRowOfUnknown(first, 0n)).toBe(first);
    expect(dataSourceRowOfUnknown({ ...first, revision: 3n }, 1n)).toMatchObject({ status: first.status });
    expect(dataSourceRowOfUnknown(null, 1n)).toBeNull();
  });
});

it('the row of a setting holds its newest parameters', () => {
  const first = ingestionSettingRow(null, EXAMPLES.IngestionSettingCreated[0]!, of(0n))!;
  const [changed] = EXAMPLES.IngestionParametersChanged;
  const { parameters } = changed!;
  expect(ingestionSettingRow(first, changed!, of(1n))).toStrictEqual({ ...first, parameters, revision: 1n });
});

it('a chunk can be filtered by its page, by all headings above it, and by what its row has', () => {
  const row = { key: 'year', val: '2025', type: 'integer' } as const;
  const heading = (val: string) => ({ key: 'heading', val, type: 'string' });
  expect(chunkMetadata({ pageNumber: 3, headingPath: ['A', 'B'], metadata: [row] })).toEqual([
    { key: 'page_number', val: '3', type: 'integer' },
    heading('A'),
    heading('B'),
    row,
  ]);
  expect(chunkMetadata({ pageNumber: 0, headingPath: [] })).toEqual([]);
  expect(chunkMetadata({ pageNumber: 1, headingPath: [] })).toHaveLength(1);
});
