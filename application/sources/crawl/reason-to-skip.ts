import { admit } from '../../../domain/crawl/crawl-scope.ts';
import { pageIdentity } from '../../../domain/crawl/crawl-url.ts';
import type { FetchedPage } from '../../ports/page-fetcher.ts';
import type { ExtractionOutcome } from '../../ports/document-reader.ts';
import type { Crawl } from './crawl-deps.ts';
import type { WithPage } from './fetch-stage.ts';

export interface Refusal {
  readonly code: string;
  /** With `duplicate`: the canonical URL. */
  readonly message: string | null;
  /** Whether a document is there that is left out: it is then listed among the sources. */
  readonly document: boolean;
  /** Where the content lies instead. */
  readonly instead: readonly string[];
}

/**
 * Why a page that was read is not indexed; null when it is. `answersFor` is the URL that was asked for, where a redirect
 * led from it to the page.
 */
export const reasonToSkip = (
  crawl: Crawl,
  { owed, purpose, outcome: page }: WithPage,
  outcome: ExtractionOutcome,
  answersFor: string | null,
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
  const canonical = owed.standsAlone ? null : elsewhere(crawl, owed, page, outcome.page?.canonical ?? null);
  if (canonical !== null && canonical !== answersFor) {
    return { ...skip('duplicate', canonical, false), instead: [canonical] };
  }
  const text = (): string => outcome.chunkSet.chunks.map((chunk) => chunk.text).join('\n');
  if (crawl.parameters.contentPattern.length > 0 && !crawl.passesContent(text())) {
    return skip('content_pattern', 'no content_pattern matches its text');
  }
  return null;
};

/** Where a page says that its content lies, if that is a page of this crawl; null when it is the page itself. */
const elsewhere = (
  crawl: Crawl,
  { depth }: WithPage['owed'],
  { finalUrl }: FetchedPage,
  declared: string | null,
): string | null => {
  const identity = pageIdentity(new URL(finalUrl), declared, crawl.parameters.noCanonicalCheck);
  if (identity.href === finalUrl) return null;
  const admission = admit(crawl.scope, identity, depth, 0);
  return admission.admitted && admission.purpose === 'index' ? identity.href : null;
};
