import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../adapters/http/data-sources/kinds.ts';
import { snakeNames } from './casing.ts';
import { parsed } from './syntax.ts';

const ROOT = new URL('../../', import.meta.url);

/** Tables whose keys are codes, and the places that spell a format out field by field. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // As the libraries call them.
  'adapters/extraction/image/ocr.ts': ['get_w', 'get_h', 'get_d', 'get_spp', 'get_wpl', 'get_data'],
  'adapters/extraction/image/read-image.ts': ['get_width', 'get_height'],
  'adapters/extraction/office/xlsx/sheet.ts': ['is_date', 'get_table'],
  'adapters/opensearch/searching.ts': ['doc_count'],
  'adapters/postgres/connection.ts': [
    'synchronous_commit',
    'statement_timeout',
    'idle_in_transaction_session_timeout',
    'application_name',
  ],
  'application/agents/runs/run-event-view.ts': ['tool_call_id'],
  'application/audit/where.ts': ['correlation_id', 'causation_id', 'trace_id'],
  'application/agents/runs/failure-message.ts': [
    'worker_lost',
    'worker_stopped',
    'queue_timeout',
    'timed_out',
    'thread_deleted',
    'internal_error',
  ],
  'application/agents/runs/messages.ts': ['mcp_session_id', 'idempotency_key'],
  'application/sources/crawl/connector.ts': [
    'scheme_not_allowed',
    'credentials_in_url',
    'url_too_long',
    'other_site',
    'too_deep',
    'file_limit_reached',
    'path_filtered',
    'extension_not_listed',
    'repeated_segments',
    'path_too_deep',
    'too_many_parameters',
  ],
  'domain/chunking/chunk-set.ts': ['file_type', 'heading_path', 'page_number', 'token_count', 'text_hash'],
  'application/ports/language-model.ts': ['first_token', 'next_token'],
  'domain/proof/export-line.ts': ['leaf_hash'],
  'domain/proof/leaf.ts': ['key_hash', 'data_hash'],
  'domain/ingestion-setting/parameters/parameters.ts': KINDS.map(({ kind }) => kind)
    .filter((kind) => kind.includes('_'))
    .toSorted(),
  'domain/redaction/detectors/by-kind.ts': ['national_id'],
};

const namesIn = (path: string, text: string): readonly string[] => snakeNames(path, parsed(path, text));

describe('names', () => {
  it('are camelCase inside: snake_case is for what is stored and sent', () => {
    const paths = globSync('{domain,application,adapters,composition}/**/*.ts', { cwd: fileURLToPath(ROOT) });
    const found = paths.flatMap((path) => {
      const names = namesIn(path, readFileSync(new URL(path, ROOT), 'utf8'));
      return names.length === 0 ? [] : [[path, names] as const];
    });
    expect(Object.fromEntries(found)).toEqual(ALLOWED);
  });

  it.each([
    ['domain/a.ts', 'export interface A { readonly job_id: string }', ['job_id']],
    ['adapters/http/a.ts', 'export const a = ({ job_id: jobId }: never) => ({ job_id: jobId });', []],
    ['domain/a.ts', "export const a = { 'job_id': 'not_found' };", []],
  ])('are told apart in %s: %s', (path, text, found) => {
    expect(namesIn(path, text)).toEqual(found);
  });
});
