import type { AdmittedPage } from '../ports/crawl-frontier.ts';
import type { StoredFile } from '../ports/file-store.ts';
import type { ExtractionOutcome } from '../ports/text-extractor.ts';
import { facts, sourceId, told } from './about-document.ts';
import { ledTo, linksToAdmit } from './admit-links.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import { purposeOf, type WithPage } from './fetch-stage.ts';
import { reasonToSkip } from './reason-to-skip.ts';
import { type Visit, visited } from './visit.ts';

/** What became of the bytes of a page. */
export interface Extracted {
  readonly raw: StoredFile;
  readonly outcome: ExtractionOutcome;
  readonly chunkSet: StoredFile | null;
}

/** A page with new content: indexed, left out with a reason, or failed. */
export const visitOfPage = (
  deps: CrawlDeps,
  crawl: Crawl,
  fetched: WithPage,
  at: number,
  { raw, outcome, chunkSet }: Extracted,
  answersFor: string | null = null,
): Visit => {
  const { owed, outcome: page } = fetched;
  const { attempt } = crawl.job.job;
  const { depth } = owed;
  if (owed.url !== page.finalUrl) {
    const purpose = purposeOf(crawl, page.finalUrl, depth);
    const to = { owed: { url: page.finalUrl, depth, links: [] }, purpose, outcome: page };
    const also = visitOfPage(deps, crawl, to, at, { raw, outcome, chunkSet }, owed.url);
    const target = { code: 'redirected', message: page.finalUrl, links: [page.finalUrl] };
    return { page: visited(owed.url, 'skipped', at, attempt, target), document: null, links: [], also };
  }
  const found = outcome.kind === 'document' ? outcome.page : undefined;
  const links =
    found === undefined || page.robots.nofollow || found.nofollow ? [] : followed(crawl, found, depth);
  const validators = { etag: page.etag, last_modified: page.lastModified, raw_sha256: raw.sha256 };
  const kept = { ...validators, bytes: raw.bytes, links: urlsOf(links) };
  const source_id = sourceId(deps, crawl, page.finalUrl);
  const refused = reasonToSkip(crawl, fetched, outcome, answersFor);
  if (refused !== null) {
    const command = {
      type: 'record_skipped',
      reason: refused.code,
      ...facts(crawl, page.finalUrl, at),
    } as const;
    const document = refused.document
      ? told(deps, crawl, page.finalUrl, owed.known === undefined, command)
      : null;
    const { code, message } = refused;
    const instead = refused.instead.map((url) => ({ url, depth }));
    const leads = [...links, ...instead];
    const more = { ...(document !== null && { source_id }), code, message, links: urlsOf(leads) };
    return { page: visited(owed.url, 'skipped', at, attempt, more), document, links: leads, instead };
  }
  if (outcome.kind !== 'document' || chunkSet === null) {
    const { code, message } =
      outcome.kind === 'failed'
        ? outcome
        : { code: 'parser_failed', message: 'nothing could be read from it' };
    const command = { type: 'record_failed', code, message, ...facts(crawl, page.finalUrl, at) } as const;
    const document = told(deps, crawl, page.finalUrl, owed.known === undefined, command);
    const failed = visited(owed.url, 'failed', at, attempt, { source_id, code, message });
    return { page: failed, document, links: ledTo(crawl, owed) };
  }
  const command = {
    type: 'record_indexed',
    ...facts(crawl, page.finalUrl, at),
    url: page.finalUrl,
    title: outcome.title.slice(0, 500),
    file_type: outcome.fileType,
    media_type: mediaTypeOf(page.mediaType, outcome.encoding),
    raw,
    chunk_set: { ...chunkSet, chunks: outcome.chunkSet.chunks.length },
  } as const;
  const document = told(deps, crawl, page.finalUrl, owed.known === undefined, command);
  return { page: visited(owed.url, 'indexed', at, attempt, { source_id, ...kept }), document, links };
};

/** With the encoding that the text was read in, whatever the server claimed; only texts have one (RFC 6838). */
const mediaTypeOf = (type: string, encoding: string | undefined): string =>
  encoding !== undefined && TEXT.test(type) ? `${type}; charset=${encoding}` : type;
const TEXT = /^(?:text\/|application\/(?:xhtml\+)?xml$)/;

const urlsOf = (pages: readonly AdmittedPage[]): readonly string[] => pages.map(({ url }) => url);

const followed = (
  crawl: Crawl,
  page: { readonly links: readonly string[]; readonly refresh: string | null },
  depth: number,
): readonly AdmittedPage[] =>
  linksToAdmit(crawl, page.refresh === null ? page.links : [page.refresh, ...page.links], depth);
