import { pageIdentity } from '../../domain/crawl/crawl-url.ts';
import type { SourceCommand } from '../../domain/source/index.ts';
import { derivedId } from '../derived-id.ts';
import type { AdmittedPage, PageOutcome as Outcome, VisitedPage } from '../ports/crawl-frontier.ts';
import type { StoredFile } from '../ports/file-store.ts';
import type { FetchedPage } from '../ports/page-fetcher.ts';
import type { ExtractionOutcome } from '../ports/text-extractor.ts';
import { linksToAdmit } from './admit-links.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Fetched } from './fetch-stage.ts';
import { unchangedPage, type Visit, visited } from './visit.ts';

type WithPage = Fetched & { readonly outcome: FetchedPage };

/** Turns fetched pages into visits: stores what came, extracts what changed. @throws the reason of `signal` */
export const digest = async (
  deps: CrawlDeps,
  crawl: Crawl,
  batch: readonly Fetched[],
  signal: AbortSignal,
): Promise<readonly Visit[]> => {
  const area = await deps.files.area(crawl.run.data_source_id);
  const at = deps.clock.now();
  const changed = batch.filter((fetched): fetched is WithPage => isNew(deps, crawl, fetched));
  const raws = await area.putMany(changed.map(({ outcome }) => outcome.body));
  const outcomes = await deps.extractor.extractBatch(
    changed.map(({ outcome }, i) => ({
      file: area.path((raws[i] as StoredFile).sha256) ?? '',
      bytes: outcome.body.byteLength,
      mediaType: outcome.mediaType,
      ...(outcome.charset !== null && { charset: outcome.charset }),
      url: outcome.finalUrl,
    })),
    signal,
  );
  const texts = outcomes.map((outcome) =>
    outcome.kind === 'document' ? new TextEncoder().encode(deps.writeChunkSet(outcome.chunkSet)) : null,
  );
  const stored = await area.putMany(texts.filter((text) => text !== null));
  let next = 0;
  const chunkSets = texts.map((text) => (text === null ? null : (stored[next++] as StoredFile)));
  const extracted = new Map(
    changed.map((fetched, i) => [
      fetched.owed.url,
      visitOfPage(deps, crawl, fetched, at, {
        raw: raws[i] as StoredFile,
        outcome: outcomes[i] as ExtractionOutcome,
        chunkSet: chunkSets[i] ?? null,
      }),
    ]),
  );
  return batch.map(
    (fetched) => extracted.get(fetched.owed.url) ?? visitWithoutPage(deps, crawl, fetched, at),
  );
};

/** The content hash is the judge: a page whose bytes are those of its last success is not extracted again. */
const isNew = ({ hash }: CrawlDeps, crawl: Crawl, { owed, outcome }: Fetched): boolean => {
  if (outcome.kind !== 'page') return false;
  if (owed.known === undefined || owed.known.failed || crawl.job.job.mode === 'full') return true;
  return outcome.finalUrl !== owed.url || hash.sha256(outcome.body) !== owed.known.raw_sha256;
};

const sourceId = ({ hash }: CrawlDeps, { run }: Crawl, url: string): string =>
  derivedId(hash, 'source', run.data_source_id, url);

const facts = (crawl: Crawl, locator: string, at: number) => ({
  data_source_id: crawl.run.data_source_id,
  source_type: 'crawl' as const,
  locator,
  job_id: crawl.job.job.job_id,
  generation: crawl.run.generation,
  at,
});

const told = (
  deps: CrawlDeps,
  crawl: Crawl,
  url: string,
  firstSeen: boolean,
  command: SourceCommand,
): Visit['document'] => ({ source_id: sourceId(deps, crawl, url), command, firstSeen });

/** Everything but a page with new content. */
const visitWithoutPage = (deps: CrawlDeps, crawl: Crawl, { owed, outcome }: Fetched, at: number): Visit => {
  const { url, depth, known } = owed;
  const { attempt } = crawl.job.job;
  const plain = (result: Outcome, code: string | null, message: string | null): VisitedPage =>
    visited(url, result, at, attempt, { code, message });
  const kept = known === undefined ? [] : linksToAdmit(crawl, known.links, depth);
  switch (outcome.kind) {
    case 'page':
    case 'not_modified': {
      const bytes = outcome.kind === 'page' ? outcome.body.byteLength : 0;
      const page = unchangedPage(owed, sourceId(deps, crawl, url), bytes, at, attempt);
      return { page, document: null, links: kept };
    }
    case 'robots':
      return { page: plain('robots', 'robots', 'robots.txt disallows it'), document: null, links: [] };
    case 'redirected_out':
      return { page: plain('skipped', 'redirected_out', outcome.target), document: null, links: [] };
    case 'skipped': {
      const command = { type: 'record_skipped', reason: outcome.reason, ...facts(crawl, url, at) } as const;
      const document = told(deps, crawl, url, known === undefined, command);
      return {
        page: {
          ...plain('skipped', outcome.reason, outcome.mediaType),
          source_id: document?.source_id ?? null,
        },
        document,
        links: [],
      };
    }
    case 'failed': {
      const { code, message, status } = outcome;
      const page = plain('failed', code, message);
      if (status === 404 || status === 410) return gone(deps, crawl, owed, page, at);
      const command = { type: 'record_failed', code, message, ...facts(crawl, url, at) } as const;
      const document = told(deps, crawl, url, known === undefined, command);
      return { page: { ...page, source_id: document?.source_id ?? null }, document, links: kept };
    }
  }
};

/** A link to nowhere is an error of the page, not a document; a document that was there is removed. */
const gone = (
  deps: CrawlDeps,
  crawl: Crawl,
  { url, known }: Fetched['owed'],
  page: VisitedPage,
  at: number,
): Visit => {
  if (known === undefined) return { page, document: null, links: [] };
  const { job_id, generation } = facts(crawl, url, at);
  const command = { type: 'remove', reason: 'gone', job_id, generation, at } as const;
  return { page: { ...page, raw_sha256: null }, document: told(deps, crawl, url, false, command), links: [] };
};

interface Extracted {
  readonly raw: StoredFile;
  readonly outcome: ExtractionOutcome;
  readonly chunkSet: StoredFile | null;
}

const visitOfPage = (
  deps: CrawlDeps,
  crawl: Crawl,
  { owed, purpose, outcome: page }: WithPage,
  at: number,
  { raw, outcome, chunkSet }: Extracted,
): Visit => {
  const { attempt } = crawl.job.job;
  const { depth } = owed;
  if (owed.url !== page.finalUrl) {
    const to = { owed: { url: page.finalUrl, depth }, purpose, outcome: page };
    const also = visitOfPage(deps, crawl, to, at, { raw, outcome, chunkSet });
    const own = visited(owed.url, 'skipped', at, attempt, { code: 'redirected', message: page.finalUrl });
    return { page: own, document: null, links: [], also };
  }
  const found = outcome.kind === 'document' ? outcome.page : undefined;
  const links =
    found === undefined || page.robots.nofollow || found.nofollow ? [] : followed(crawl, found, depth);
  const validators = { etag: page.etag, last_modified: page.lastModified, raw_sha256: raw.sha256 };
  const kept = { ...validators, bytes: raw.bytes, links: links.map(({ url }) => url) };
  const source_id = sourceId(deps, crawl, page.finalUrl);
  const refused = reasonToSkip(crawl, purpose, page, outcome);
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
    const more = { ...(document !== null && { source_id }), code, message };
    return {
      page: visited(owed.url, 'skipped', at, attempt, more),
      document,
      links: [...links, ...refused.instead.map((url) => ({ url, depth }))],
    };
  }
  if (outcome.kind !== 'document' || chunkSet === null) {
    const { code, message } =
      outcome.kind === 'failed' ? outcome : { code: 'parser_failed', message: 'nothing read' };
    const command = { type: 'record_failed', code, message, ...facts(crawl, page.finalUrl, at) } as const;
    const document = told(deps, crawl, page.finalUrl, owed.known === undefined, command);
    return { page: visited(owed.url, 'failed', at, attempt, { source_id, code, message }), document, links };
  }
  const command = {
    type: 'record_indexed',
    ...facts(crawl, page.finalUrl, at),
    url: page.finalUrl,
    title: outcome.title.slice(0, 500),
    file_type: outcome.fileType,
    media_type: page.mediaType,
    raw,
    chunk_set: { ...chunkSet, chunks: outcome.chunkSet.chunks.length },
  } as const;
  const document = told(deps, crawl, page.finalUrl, owed.known === undefined, command);
  return { page: visited(owed.url, 'indexed', at, attempt, { source_id, ...kept }), document, links };
};

const followed = (
  crawl: Crawl,
  page: { readonly links: readonly string[]; readonly refresh: string | null },
  depth: number,
): readonly AdmittedPage[] =>
  linksToAdmit(crawl, page.refresh === null ? page.links : [page.refresh, ...page.links], depth);

interface Refusal {
  readonly code: string;
  readonly message: string | null;
  /** Whether a document is there that is left out: it is then listed among the sources. */
  readonly document: boolean;
  /** Where the content lies instead. */
  readonly instead: readonly string[];
}

const reasonToSkip = (
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
