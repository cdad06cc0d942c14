import { pageIdentity } from '../../domain/crawl/crawl-url.ts';
import type { FetchedPage } from '../ports/page-fetcher.ts';
import type { ExtractionOutcome } from '../ports/text-extractor.ts';
import type { Crawl } from './crawl-deps.ts';
import type { Fetched } from './fetch-stage.ts';

export interface Refusal {
  readonly code: string;
  readonly message: string | null;
  /** Whether a document is there that is left out: it is then listed among the sources. */
  readonly document: boolean;
  /** Where the content lies instead. */
  readonly instead: readonly string[];
}

/** Why a page that was read is not indexed; null when it is. */
export const reasonToSkip = (
  crawl: Crawl,
  purpose: Fetched['purpose'],
  page: FetchedPage,
  outcome: ExtractionOutcome,
): Refusal | null => {
  const skip = (code: string, message: string | null, document = true): Refusal => ({
    code,
    message,
    document,
    instead: [],
  });
  if (outcome.kind === 'unsupported') return skip('unsupported_file_type', outcome.message);
  if (outcome.kind === 'failed') return null;
  if (purpose === 'links_only') return skip('extension_not_listed', null, false);
  if (page.robots.noindex || outcome.page?.noindex) return skip('noindex', 'the page asks not to be indexed');
  const answered = new URL(page.finalUrl);
  const identity = pageIdentity(
    answered,
    outcome.page?.canonical ?? null,
    crawl.parameters.no_canonical_check,
  );
  if (identity.href !== answered.href) {
    return { ...skip('duplicate', `its canonical URL is ${identity.href}`, false), instead: [identity.href] };
  }
  const text = (): string => outcome.chunkSet.chunks.map((chunk) => chunk.text).join('\n');
  if (crawl.parameters.content_pattern.length > 0 && !crawl.passesContent(text())) {
    return skip('content_pattern', 'no content_pattern matches its text');
  }
  return null;
};
