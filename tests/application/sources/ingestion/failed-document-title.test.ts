import { expect, it } from 'vitest';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import {
  type FoundDocument,
  readDocuments,
  type ReadDocumentsDeps,
} from '../../../../application/sources/ingestion/read-documents.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import type { RedactionRule } from '../../../../domain/redaction/index.ts';

const rules: readonly RedactionRule[] = [{ name: 'email', kind: 'email' }];
const stored = { sha256: 'aa', bytes: 1, path: '/nowhere' };
const area = {
  putLocally: async (bodies: readonly unknown[], use: (files: unknown) => Promise<unknown>) =>
    use(bodies.map(() => stored)),
  putMany: async () => [],
};
const deps = {
  files: { area: async () => area },
  extractor: {
    extractBatch: async (found: readonly unknown[]) =>
      found.map(() => ({ kind: 'failed', code: 'encrypted', message: 'it needs a password' })),
  },
  redaction: { at: async () => ({ rules, compiled: compileRules(rules, textPatterns) }) },
} as unknown as ReadDocumentsDeps;
const titleOf = async (about: Partial<FoundDocument>): Promise<string | undefined> => {
  const reading = { dataSourceId: 'd', tenant: 't', stillOurs: () => {} };
  const found = [{ body: Uint8Array.of(1), ...about }];
  const [read] = await readDocuments(deps, reading, found, new AbortController().signal);
  return read?.chunkSet === null ? read.title : undefined;
};

it('a document that cannot be read has the title that it was found by, else the name of its file, and nothing that a policy hides', async () => {
  expect(await titleOf({ title: 'Plan', fileName: 'plan.pdf' })).toBe('Plan');
  expect(await titleOf({ fileName: 'plan.pdf' })).toBe('plan.pdf');
  expect(await titleOf({})).toBeUndefined();
  const hidden = await titleOf({ title: 'Plan for ann@example.com' });
  expect([hidden?.startsWith('Plan for'), hidden?.includes('ann@')]).toEqual([true, false]);
});
