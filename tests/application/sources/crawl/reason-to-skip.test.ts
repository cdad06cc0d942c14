import { describe, expect, it } from 'vitest';
import type { WithPage } from '../../../../application/sources/crawl/fetch-stage.ts';
import { reasonToSkip } from '../../../../application/sources/crawl/visit-of-page.ts';
import type { OwedPage } from '../../../../application/ports/crawl-frontier.ts';
import type { ExtractionOutcome } from '../../../../application/ports/document-reader.ts';
import type { CrawlParameters } from '../../../../domain/ingestion-setting/index.ts';
import { crawlOf, on, owed } from './crawls-in-memory.ts';

interface Page {
  readonly parameters?: Partial<CrawlParameters>;
  readonly owed?: Partial<OwedPage>;
  readonly purpose?: 'index' | 'links_only';
  readonly noindex?: boolean;
  /** What the page says of itself. */
  readonly says?: { readonly noindex?: boolean; readonly canonical?: string } | null;
  readonly outcome?: object;
  readonly answersFor?: string;
}

const reason = ({ parameters, owed: more, purpose = 'index', noindex = false, says = {}, ...rest }: Page) => {
  const outcome = { kind: 'page', finalUrl: on('a'), robots: { noindex } };
  const fetched = { owed: owed('a', more), purpose, outcome } as unknown as WithPage;
  const chunkSet = { chunks: [{ text: 'first' }, { text: 'second' }] };
  const read = rest.outcome ?? { kind: 'extracted', chunkSet, page: says };
  return reasonToSkip(crawlOf(parameters), fetched, read as ExtractionOutcome, rest.answersFor ?? null);
};
const refusal = (code: string, message: string | null, document = true, instead: readonly string[] = []) => ({
  code,
  message,
  document,
  instead,
});

describe('a page that was read', () => {
  it('is left out where nobody reads its type, or it is visited for its links alone', () => {
    const outcome = { kind: 'unsupported', message: 'video' };
    expect(reason({ outcome })).toEqual(refusal('unsupported_file_type', 'video'));
    expect(reason({ purpose: 'links_only' })).toEqual(refusal('extension_not_listed', null, false));
  });

  it('is indexed only with a text that a pattern matches, across its passages', () => {
    expect(reason({ parameters: { contentPattern: ['first\nsecond'] } })).toBeNull();
    expect(reason({ parameters: { contentPattern: ['third'] } })).toEqual(
      refusal('content_pattern', 'no content_pattern matches its text'),
    );
  });
});

describe('a page that names another as its canonical one', () => {
  const says = { canonical: on('b') };

  it.each<[string, Page]>([
    ['that one answered with it', { answersFor: on('b') }],
    ['that one led to nothing', { owed: { standsAlone: true } }],
    ['nobody is to look at that', { parameters: { noCanonicalCheck: true } }],
    ['it names itself', { says: { canonical: on('a') } }],
    ['that one lies outside of the crawl', { says: { canonical: 'https://x.example/' } }],
    [
      'that one is not to be indexed',
      { says: { canonical: on('b.pdf') }, parameters: { fileExtensions: ['.html'] } },
    ],
  ])('is indexed all the same where %s', (_, more) => {
    expect(reason({ says, ...more })).toBeNull();
  });

  it('is indexed where it names as canonical a page that is visited for its links alone', () => {
    const parameters = { fileExtensions: ['pdf'] };
    expect(reason({ parameters, says: { canonical: on('b') } })).toBeNull();
  });
});
