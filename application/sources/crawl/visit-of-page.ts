import type { PartialRead } from '../../ports/document-reader.ts';
import type { ReadOutcome } from '../ingestion/read-documents.ts';
import type { ContentHashes } from './spellings.ts';
import type { AdmittedPage } from '../../ports/crawl-frontier.ts';
import { knownLinks, linksToAdmit } from './admit-links.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import { purposeOf, type WithPage } from './fetch-stage.ts';
import { type Visit, visited } from './visit.ts';
import { admit, pageIdentity } from '../../../domain/crawl/crawl-scope.ts';
import type { FetchedPage } from '../../ports/page-fetcher.ts';

/** A page that was read. */
type ReadPage = ReadOutcome & Pick<ContentHashes, 'textSha256'>;

export const withTextHash = ({ hash }: Pick<CrawlDeps, 'hash'>, read: ReadOutcome): ReadPage => {
  const chunks = read.outcome.kind === 'document' ? read.outcome.chunkSet.chunks : [];
  return { ...read, textSha256: hash.sha256(chunks.map(({ textHash }) => textHash).join()) };
};

interface Refusal {
  readonly code: string;
  /** For `duplicate`: the canonical URL. */
  readonly message: string | null;
  /** Whether the page is a document that is skipped, and listed among the sources as such. */
  readonly document: boolean;
  /** URLs that have the content instead. */
  readonly instead: readonly string[];
}

/**
 * Why a page that was read is not indexed; null if it is. `answersFor` is the requested URL if a redirect led from it
 * to the page.
 */
export const reasonToSkip = (
  crawl: Crawl,
  { pending, purpose, outcome: page }: WithPage,
  { outcome, raw, textSha256 }: Pick<ReadPage, 'outcome' | 'raw' | 'textSha256'>,
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
  const canonical = pending.ignoresCanonical
    ? null
    : canonicalElsewhere(crawl, pending, page, outcome.page?.canonical ?? null);
  if (canonical !== null && canonical !== answersFor) {
    return { ...skip('duplicate', canonical, false), instead: [canonical] };
  }
  const text = (): string => outcome.chunkSet.chunks.map((chunk) => chunk.text).join('\n');
  if (crawl.parameters.contentPattern.length > 0 && !crawl.passesContent(text())) {
    return skip('content_pattern', 'no content_pattern matches its text');
  }
  const twin = pending.ignoresCanonical
    ? null
    : crawl.spellings.twinOf(page.finalUrl, { textSha256, rawSha256: raw.sha256 });
  return twin === null ? null : { ...skip('duplicate', twin, false), instead: [twin] };
};

/** The canonical URL of a page, if it is another page of this crawl; null if the page is canonical itself. */
const canonicalElsewhere = (
  crawl: Crawl,
  { depth }: WithPage['pending'],
  { finalUrl }: FetchedPage,
  declared: string | null,
): string | null => {
  const named = pageIdentity(new URL(finalUrl), declared, crawl.parameters.noCanonicalCheck);
  const identity = named.href === finalUrl ? named : crawl.spellings.of(named);
  if (identity.href === finalUrl) return null;
  const admission = admit(crawl.scope, identity, depth, 0);
  return admission.admitted && admission.purpose === 'index' ? identity.href : null;
};

/** The visit of a page with new content: indexed, skipped with a reason, or failed. */
export const visitOfPage = (
  crawl: Crawl,
  fetched: WithPage,
  at: number,
  read: ReadPage,
  answersFor: string | null = null,
): Visit => {
  const { pending, outcome: page } = fetched;
  const { raw, outcome, textSha256 } = read;
  const { attempt } = crawl.job.state;
  const { depth } = pending;
  if (pending.url !== page.finalUrl) {
    const purpose = purposeOf(crawl, page.finalUrl, depth);
    const to = { pending: { url: page.finalUrl, depth, links: [] }, purpose, outcome: page };
    const also = visitOfPage(crawl, to, at, read, pending.url);
    const target = { code: 'redirected', message: page.finalUrl, links: [page.finalUrl] };
    return { page: visited(pending.url, 'skipped', at, attempt, target), document: null, links: [], also };
  }
  const found = outcome.kind === 'document' ? outcome.page : undefined;
  const links =
    found === undefined || page.robots.nofollow || found.nofollow ? [] : followed(crawl, found, depth);
  const validators = { etag: page.etag, lastModified: page.lastModified, rawSha256: raw.sha256, textSha256 };
  const kept = { ...validators, bytes: raw.bytes, links: urlsOf(links) };
  const sourceId = crawl.documents.idOf(page.finalUrl);
  const of = { locator: page.finalUrl, firstSeen: pending.known === undefined, at };
  const refused = reasonToSkip(crawl, fetched, read, answersFor);
  if (refused !== null) {
    const document = refused.document ? ({ kind: 'skipped', reason: refused.code, ...of } as const) : null;
    const { code, message } = refused;
    const instead = refused.instead.map((url) => ({ url, depth }));
    const leads = [...links, ...instead];
    const more = { ...(document !== null && { sourceId }), code, message, links: urlsOf(leads) };
    return { page: visited(pending.url, 'skipped', at, attempt, more), document, links: leads, instead };
  }
  if (read.chunkSet === null) {
    const { code, message } =
      read.outcome.kind === 'failed'
        ? read.outcome
        : { code: 'parser_failed', message: 'no text could be read from it' };
    const failed = visited(pending.url, 'failed', at, attempt, { sourceId, code, message });
    return {
      page: failed,
      document: { kind: 'failed', code, message, ...of },
      links: knownLinks(crawl, pending),
    };
  }
  const { mediaType, finalUrl: url } = page;
  const document = { kind: 'indexed', ...of, url, mediaType, read } as const;
  const { missing, unread: part } = read.outcome;
  const unread = (found?.needsScripts === true ? withoutScripts(crawl) : undefined) ?? part;
  // Without validators, later jobs fetch and read the page again until nothing is missing.
  const more =
    missing === undefined ? { ...kept, ...unread } : { ...missing, bytes: raw.bytes, links: kept.links };
  return { page: visited(pending.url, 'indexed', at, attempt, { sourceId, ...more }), document, links };
};

/** Undefined if the scripts were run. */
const withoutScripts = ({ parameters }: Crawl): PartialRead | undefined =>
  parameters.useBrowser
    ? undefined
    : {
        code: 'partly_read',
        message:
          'this page has almost no text without its scripts: set use_browser to true in the crawl setting, then sync',
      };

const urlsOf = (pages: readonly AdmittedPage[]): readonly string[] => pages.map(({ url }) => url);

const followed = (
  crawl: Crawl,
  page: { readonly links: readonly string[]; readonly refresh: string | null },
  depth: number,
): readonly AdmittedPage[] =>
  linksToAdmit(crawl, page.refresh === null ? page.links : [page.refresh, ...page.links], depth);
