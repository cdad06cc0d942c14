import { createHash } from 'node:crypto';
import type { SearchableContent, SearchableSource } from '../../application/ports/search-engine.ts';
import { chunkMetadata } from '../../application/read-models/source-contents.ts';
import { storable } from '../../domain/filter/value.ts';
import { identifiersOf } from '../../domain/ranking/identifiers.ts';
import { textNames, titleNames } from '../../domain/ranking/names.ts';
import { singleCharacters, wordsOf } from '../../domain/shared/words.ts';
import { stemmedLanguage } from './index-body.ts';
import { metadataTerms } from './metadata.ts';
import { vectorFields } from './vector-fields.ts';

/** One document of an index. */
export interface Document {
  readonly id: string;
  /** The tenant: all that it has lies in one shard. */
  readonly routing: string;
  /** An older one is refused. */
  readonly version: number;
  readonly body: object;
}

/** Not an identifier, which is none of the words of a text. */
export const WORD = /^[\p{L}\p{M}\p{N}]+$/u;

/** Unique in an index: ids of contents are so within a tenant. */
const idOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('base64url');

/** From 1 on: what has version 0 cannot be deleted by a query. */
export const versionOf = ({ revision }: Pick<SearchableSource, 'revision'>): number => Number(revision) + 1;

/** What the index knows of a source, also of one without contents: which of its states it has. */
export const sourceDocument = (source: SearchableSource): Document => ({
  id: idOf(source.tenant, 'source', source.id),
  routing: source.tenant,
  version: versionOf(source),
  body: { group: source.dataSourceId },
});

/** A data source that was removed: nothing of it is kept any longer. */
export const removedDocument = (tenant: string, dataSourceId: string): Document => ({
  id: idOf(tenant, 'removed', dataSourceId),
  routing: tenant,
  version: 1,
  body: {},
});

export const contentDocuments = (source: SearchableSource): readonly Document[] => {
  const { tenant, title, metadata } = source;
  const language = stemmedLanguage(source.language);
  const titleWords = wordsOf(title);
  const names = titleNames(title);
  const ofSource = {
    tenant,
    source: source.id,
    group: source.dataSourceId,
    type: source.sourceType,
    fileType: storable(source.fileType),
    domains: domainsOf(source.url),
    revision: versionOf(source),
    sourceMetadata: metadataTerms(metadata),
    language,
    title: { [language]: titleWords.join(' ') },
  };
  return source.contents.map((content) => {
    const { body, all, text } = partsOf(title, content);
    // Parts of identifiers and single characters are found as words are.
    const beside = [...identifiersOf(all), ...singleCharacters(all)];
    const words = [...wordsOf(body), ...beside.filter((one) => WORD.test(one))];
    const identifiers = beside.filter((one) => !WORD.test(one));
    return {
      id: idOf(tenant, 'content', content.id),
      routing: tenant,
      version: versionOf(source),
      body: {
        ...ofSource,
        content: content.id,
        at: content.timestamp,
        chunkMetadata: metadataTerms(chunkMetadata(content)),
        words: [...titleWords, ...words].join(' '),
        text: { [language]: words.join(' ') },
        names: [...new Set([...identifiers, ...names, ...textNames(text)])].join(' '),
        ...vectorFields(content.vectors),
      },
    };
  });
};

const partsOf = (title: string, { headingPath, text }: SearchableContent) => {
  const body = [...headingPath, text].join('\n');
  return { body, all: `${title}\n${body}`, text };
};

/** `docs.example.com`, `example.com` and `com` of a page at the first. */
const domainsOf = (url: string): readonly string[] => {
  const labels = (URL.parse(url)?.hostname ?? '').split('.').filter((label) => label !== '');
  return labels.map((_, i) => labels.slice(i).join('.'));
};
