import { detectLanguage as detectFrom } from '../../../../adapters/extraction/language-and-tokens.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import type { PageFacts, PrepareText } from '../../../../application/ports/document-reader.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { firstTitle } from '../../../../application/sources/ingestion/document-title.ts';
import {
  createPrepareText,
  documentLanguage,
} from '../../../../application/sources/ingestion/prepare-text.ts';
import {
  type FoundDocument,
  type ReadDocumentsDeps,
  readDocuments,
} from '../../../../application/sources/ingestion/read-documents.ts';
import { chunkDocument } from '../../../../domain/chunking/chunk-document.ts';
import { CHUNK_LIMITS } from '../../../../domain/chunking/chunk.ts';
import { documentKeywords } from '../../../../domain/chunking/keywords.ts';
import type { RedactionRule } from '../../../../domain/redaction/index.ts';
import { describe, expect, it } from 'vitest';

type ExtractedText = Parameters<PrepareText>[0];
type AboutDocument = Parameters<PrepareText>[1];

const count = (text: string): number => text.split(/\s+/).length;

const hash = (text: string): string => sha256.sha256(text);

const ABOUT: AboutDocument = { url: 'https://a.example/', fileType: 'html', redaction: [] };

const HIDING: AboutDocument = { ...ABOUT, redaction: [{ name: 'email', kind: 'email' }] };

const EXTRACTED: ExtractedText = {
  title: 'Falcons',
  name: 'falcons.html',
  language: 'de',
  units: [{ headingPath: ['Birds', 'Falcons'], pageNumber: 1, text: 'Falcons fly at a@b.example fast.' }],
};

const preparing = (detectLanguage: (text: string) => string | null = () => null) =>
  createPrepareText({ patterns: textPatterns, count, hash, detectLanguage });

describe('the text of a document', () => {
  it('is cut into chunks and has keywords, under its title, address, type and language', () => {
    const { units } = EXTRACTED;
    const source = { title: 'Falcons', url: ABOUT.url, fileType: 'html', language: 'de' };
    expect(preparing()(EXTRACTED, ABOUT)).toEqual({
      title: 'Falcons',
      language: 'de',
      units,
      chunkSet: {
        format: 1,
        source,
        keywords: documentKeywords('Falcons', units),
        chunks: chunkDocument(units, { count, hash, limits: CHUNK_LIMITS }),
      },
    });
  });

  it('holds nothing that policies hide: not in title, headings, text, keywords, metadata, nor in what a page says of itself', () => {
    const mail = 'of a@b.example';
    const page = { title: mail, description: mail, links: ['https://a.example/b'] } as unknown as PageFacts;
    const metadata = [
      { key: 'by', val: mail, type: 'string' },
      { key: 'day', val: '2024-01-01', type: 'date' },
      { key: 'odd', val: 'a@b.example', type: 'integer' },
    ] as const;
    const units = [{ headingPath: [mail], pageNumber: 1, text: `Text ${mail}`, metadata }];
    const prepared = preparing()({ ...EXTRACTED, title: `Title ${mail}`, units, page }, HIDING);
    expect(prepared).toMatchObject({
      title: 'Title of [email]',
      page: { title: 'of [email]', description: 'of [email]', links: page.links },
      units: [{ headingPath: ['of [email]'], text: 'Text of [email]' }],
    });
    expect(prepared.units[0]!.metadata).toEqual([{ ...metadata[0], val: 'of [email]' }, metadata[1]]);
    expect(JSON.stringify(prepared)).not.toContain('b.example');
  });
});

describe('the language of a text', () => {
  const detected = (...texts: readonly string[]): readonly number[] => {
    const lengths: number[] = [];
    documentLanguage(
      'en',
      texts.map((text) => ({ text })),
      (text) => {
        lengths.push(text.length);
        return null;
      },
    );
    return lengths;
  };

  it('shows in its beginning: no more is looked at than is enough', () => {
    expect(detected('x'.repeat(5_000), 'y')).toEqual([4_001]);
    expect(detected('x'.repeat(3_999), 'y')).toEqual([4_000]);
    expect(detected('x'.repeat(3_998), 'y')).toEqual([4_001]);
  });
});

describe('the title of a document', () => {
  it('is the first that says something, on one line', () => {
    expect(firstTitle(null, undefined, ' \u0000\t', '  Two\r\n\t\u0001 words ', 'Other')).toBe('Two words');
    expect(firstTitle()).toBe('Untitled');
  });
});

const GERMAN = 'Der Vertrag beginnt mit der Unterschrift beider Parteien und endet nach zwei Jahren. ';

it.each([
  ['what the text shows, whatever the page declares', 'en', GERMAN.repeat(3), 'de'],
  ['what is declared where it says the same more exactly', 'de-AT', GERMAN.repeat(3), 'de-AT'],
  ['what is declared of a short text', 'en', GERMAN, 'en'],
  ['what a short text shows where nothing is declared', null, GERMAN, 'de'],
  ['what is declared where nothing shows', 'fr', '1 2 3 4 5 '.repeat(50), 'fr'],
  ['nothing where nothing shows', null, '1 2 3', null],
  ['nothing that is no tag', 'deutsch, glaube ich', '1 2 3', null],
])('takes %s', (_, declared, text, language) =>
  expect(documentLanguage(declared, [{ text }], detectFrom)).toBe(language),
);

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
  const reading = { dataSourceId: 'd', tenant: 't', assertLeaseHeld: () => {} };
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
