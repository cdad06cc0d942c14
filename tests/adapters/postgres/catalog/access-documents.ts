import type { Access, CatalogScope } from '../../../../application/ports/catalog.ts';
import { chunkMetadata } from '../../../../application/read-models/source-contents.ts';
import { resolve } from '../../../../domain/authz/policy-filter.ts';
import { matches } from '../../../../domain/filter/matches.ts';
import type { MetadataRecord } from '../../../../domain/source/events.ts';
import type { RawDocument, RawPolicy } from './access-arbitraries.ts';
import { type CatalogFixture, createHistory, scope } from './catalog-fixture.ts';

export interface Chunk {
  readonly heading: string;
  readonly text: string;
}
export interface Document {
  readonly name: string;
  readonly title: string;
  readonly fileType: 'html' | 'pdf';
  readonly metadata: readonly MetadataRecord[];
  readonly chunks: readonly Chunk[];
}
/** A document, and what a policy lets through of it. */
export interface AllowedDocument extends Document {
  readonly seen: readonly Chunk[];
}

export const TYPES = new Map([['level', 'integer' as const]]);

let tenants = 0;
/** Documents for the catalog of a tenant of their own; all of their texts have the word turbine. */
export const documentsOf = (fixture: CatalogFixture, raw: readonly RawDocument[]) => {
  const tenant = `access ${(tenants += 1)}`;
  const history = createHistory(fixture.files).of(tenant, `${tenant} group`);
  const documents = raw.map(({ departments, level, headings, fileType }, i): Document => ({
    name: `${tenant} ${i}`,
    title: `Document ${i}`,
    fileType,
    metadata: [
      ...departments.map((val) => ({ key: 'department', val, type: 'string' as const })),
      ...(level === null ? [] : [{ key: 'level', val: String(level), type: 'integer' as const }]),
    ],
    chunks: headings.map((heading, j) => ({
      heading,
      text: `the turbine ${i} ${j} turns ${'x'.repeat(j)}`,
    })),
  }));
  /** Writes these, or writes them anew. */
  const write = async (those: readonly Document[]): Promise<void> => {
    for (const { name, title, fileType, metadata, chunks } of those) {
      const texts = chunks.map(({ heading, text }) => [[heading], text] as const);
      await fixture.apply(history.indexed(name, { title, fileType, chunks: texts, keywords: ['word'] }));
      const records = metadata.map(({ key, val, type }) => [key, val, type] as const);
      await fixture.apply(history.metadata(name, records));
    }
  };
  return { tenant, documents, write };
};

/** The scope of whoever asks by this policy, and what it allows of the documents, by a plain evaluation. */
export const accessOf = (
  tenant: string,
  documents: readonly Document[],
  { onSources, onChunks, attributes }: RawPolicy,
) => {
  const access: Access = {
    sources: resolve(onSources, TYPES, attributes),
    chunks: resolve(onChunks, new Map(), attributes),
  };
  const of: CatalogScope = { ...scope(tenant), access };
  return { of, allowed: allowedOf(documents, access) };
};

const allowedOf = (
  documents: readonly Document[],
  { sources, chunks }: Access,
): readonly AllowedDocument[] => {
  const judgesChunks = chunks.parts.length > 0;
  return documents
    .filter(({ metadata }) => matches(sources, metadata))
    .map((document) => ({
      ...document,
      seen: document.chunks.filter(({ heading }) =>
        matches(chunks, chunkMetadata({ headingPath: [heading], pageNumber: 0 })),
      ),
    }))
    .filter(({ seen }) => !judgesChunks || seen.length > 0);
};

/** The texts of these, in the order of letters. */
export const textsOf = (rows: readonly ({ readonly text: string } | null)[]): readonly string[] =>
  rows.flatMap((row) => (row === null ? [] : [row.text])).toSorted();
