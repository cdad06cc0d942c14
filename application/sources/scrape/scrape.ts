import type { RedactionRule } from '../../../domain/redaction/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { Browser, FetchedPage } from '../../ports/page-fetcher.ts';
import type { DocumentReader, ExtractedDocument } from '../../ports/document-reader.ts';
import type { ScratchFiles } from '../../ports/file-store.ts';
import type { PoliciesInForce } from '../../redaction/policies-in-force.ts';
import { requireBrowser } from '../require-browser.ts';
import { fetchAllowed, type FetchAllowedDeps } from './fetch-allowed.ts';
import { markdownOf } from './markdown-of.ts';
import { tookTooLong } from './page-not-had.ts';

export const SCRAPE_FORMATS = ['markdown', 'html', 'links', 'metadata'] as const;
export type ScrapeFormat = (typeof SCRAPE_FORMATS)[number];

export interface ScrapeRequest {
  /** Absolute. */
  readonly url: string;
  readonly formats: readonly ScrapeFormat[];
  readonly useBrowser: boolean;
}

/** A page as it is now. What was not asked for is absent. */
export interface ScrapedPage {
  /** That answered, after redirects. */
  readonly url: string;
  /** Its text, redacted as what is indexed and shown. */
  readonly markdown?: string;
  /** As it came, decoded. */
  readonly html?: string;
  /** Absolute, in order of appearance, at most 10,000. */
  readonly links?: readonly string[];
  readonly metadata?: {
    readonly title: string;
    /** Null: it has none. */
    readonly description: string | null;
    /** BCP 47; null: it declares none. */
    readonly language: string | null;
    readonly canonicalUrl: string | null;
    readonly noindex: boolean;
    readonly nofollow: boolean;
    /** HTTP status. */
    readonly status: number;
    readonly mediaType: string;
    /** WHATWG name. */
    readonly encoding: string;
    /** Of the body, decoded. */
    readonly bytes: number;
  };
}

export interface ScrapeDeps extends FetchAllowedDeps {
  readonly browser: Browser;
  readonly extractor: DocumentReader;
  readonly scratch: ScratchFiles;
  readonly redaction: PoliciesInForce;
  readonly robotName: string;
  /** Aborts when a page that is begun now has taken too long. */
  readonly limit: () => AbortSignal;
}

/**
 * Reads one page and keeps nothing of it: under the address policy, the rules of robots and the limits of crawls.
 *
 * @throws DomainError not_configured, url_not_allowed, unsupported_file_type; PageNotHad; the reason of `gone`
 */
export const createScrape =
  (deps: ScrapeDeps) =>
  async (
    { tenant }: Pick<Caller, 'tenant'>,
    request: ScrapeRequest,
    gone: AbortSignal,
  ): Promise<ScrapedPage> => {
    if (request.useBrowser) requireBrowser(deps.browser);
    const late = deps.limit();
    const signal = AbortSignal.any([gone, late]);
    try {
      const page = await fetchAllowed(deps, request, signal);
      return answerOf(request, page, await read(deps, tenant, page, signal));
    } catch (error) {
      gone.throwIfAborted();
      throw late.aborted ? tookTooLong() : error;
    }
  };
export type Scrape = ReturnType<typeof createScrape>;

const read = async (
  { extractor, scratch, redaction, robotName }: ScrapeDeps,
  tenant: string,
  { body, mediaType, charset, finalUrl: url }: FetchedPage,
  signal: AbortSignal,
): Promise<ExtractedDocument> => {
  const rules = await rulesFor(redaction, tenant);
  const claims = { mediaType, url, robotName, withUnits: true, turn: tenant };
  const outcome = await scratch.withFile(body, (file) =>
    extractor.extract(
      {
        file,
        bytes: body.byteLength,
        ...claims,
        ...(charset !== null && { charset }),
        ...(rules.length > 0 && { redaction: rules }),
      },
      signal,
    ),
  );
  if (outcome.kind !== 'document' || outcome.page === undefined)
    throw new DomainError(
      'unsupported_file_type',
      `the page cannot be read: ${outcome.kind === 'document' ? `it is ${outcome.fileType}` : outcome.message}`,
    );
  return outcome;
};

/** Whoever is answered may see no more of a page than if it were indexed and looked up. */
const rulesFor = async (redaction: PoliciesInForce, tenant: string): Promise<readonly RedactionRule[]> => {
  const stages = await Promise.all([redaction.at(tenant, 'ingestion'), redaction.at(tenant, 'content')]);
  return stages.flatMap(({ rules }) => rules);
};

const answerOf = (
  { formats }: ScrapeRequest,
  fetched: FetchedPage,
  { title, language, units = [], page }: ExtractedDocument,
): ScrapedPage => {
  const wanted = new Set(formats);
  const facts = page!;
  return {
    url: fetched.finalUrl,
    ...(wanted.has('markdown') && { markdown: markdownOf(units) }),
    ...(wanted.has('html') && { html: new TextDecoder(facts.encoding).decode(fetched.body) }),
    ...(wanted.has('links') && { links: facts.links }),
    ...(wanted.has('metadata') && {
      metadata: {
        title,
        description: facts.description === '' ? null : facts.description,
        language: language ?? null,
        canonicalUrl: facts.canonical,
        noindex: facts.noindex || fetched.robots.noindex,
        nofollow: facts.nofollow || fetched.robots.nofollow,
        status: fetched.status,
        mediaType: fetched.mediaType,
        encoding: facts.encoding,
        bytes: fetched.body.byteLength,
      },
    }),
  };
};
