import type { RedactionRule } from '../../../domain/redaction/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { Browser, FetchedPage, PageFetcher, RobotsPolicy } from '../../ports/page-fetcher.ts';
import type { DocumentReader, ExtractedDocument } from '../../ports/document-reader.ts';
import type { ScratchFiles } from '../../ports/file-store.ts';
import type { PoliciesInForce } from '../../redaction/policies-in-force.ts';
import { requireBrowser } from '../require-browser.ts';
import { pageTimedOut, PageUnavailable, refusalFor } from './page-unavailable.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';

const DEEPEST = 6;

/** The text of a page as Markdown with its headings. */
export const markdownOf = (units: readonly TextUnit[]): string =>
  units
    .map(marked)
    .filter((text) => text !== '')
    .join('\n\n');

/** A unit begins with its heading, unless it continues under an earlier one. */
const marked = ({ headingPath, text }: TextUnit): string => {
  const heading = headingPath.at(-1);
  const body = text.trim();
  if (heading === undefined || !body.startsWith(heading)) return body;
  const rest = body.slice(heading.length).trimStart();
  const line = `${'#'.repeat(Math.min(headingPath.length, DEEPEST))} ${heading}`;
  return rest === '' ? line : `${line}\n\n${rest}`;
};

interface FetchAllowedDeps {
  readonly pages: PageFetcher;
  /** Creates a new policy per page, so that robots.txt is read each time. */
  readonly robots: () => RobotsPolicy;
}

/**
 * Fetches an HTML page that robots.txt allows, including all its redirects.
 *
 * @throws DomainError url_not_allowed, unsupported_file_type; PageUnavailable; the reason of `signal`
 */
const fetchAllowed = async (
  { pages, robots }: FetchAllowedDeps,
  { url, useBrowser }: { readonly url: string; readonly useBrowser: boolean },
  signal: AbortSignal,
): Promise<FetchedPage> => {
  const policy = robots();
  await mustBeAllowed(policy, url, signal);
  let refusal: unknown;
  const mayFollow = async (target: string): Promise<boolean> => {
    refusal = await mustBeAllowed(policy, target, signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    return refusal === undefined;
  };
  const outcome = await pages.fetchPage({ url, accept: 'html', mayFollow, useBrowser }, signal);
  switch (outcome.kind) {
    case 'page':
      return outcome;
    case 'redirected_out':
      throw refusal;
    case 'skipped':
      if (outcome.reason === 'no_content') throw new PageUnavailable('the page has no content (204)', false);
      throw new DomainError(
        'unsupported_file_type',
        `only HTML can be scraped, and this is ${outcome.mediaType === '' ? 'something else' : outcome.mediaType}`,
      );
    case 'not_modified':
      throw new Error('a page without validators was not modified');
    case 'failed':
      throw refusalFor(outcome.code, `the page cannot be fetched: ${outcome.message}`);
  }
};

const mustBeAllowed = async (policy: RobotsPolicy, url: string, signal: AbortSignal): Promise<void> => {
  const verdict = await policy.check(url, signal);
  if (verdict.allowed) return;
  if (verdict.reason === 'unreachable') throw refusalFor(verdict.code, verdict.message);
  throw new DomainError('url_not_allowed', `robots.txt of its site disallows ${url}`);
};

export const SCRAPE_FORMATS = ['markdown', 'html', 'links', 'metadata'] as const;
export type ScrapeFormat = (typeof SCRAPE_FORMATS)[number];

export interface ScrapeRequest {
  /** Absolute. */
  readonly url: string;
  readonly formats: readonly ScrapeFormat[];
  readonly useBrowser: boolean;
}

/** The current page. Formats that were not requested are absent. */
export interface ScrapedPage {
  /** The URL that responded, after redirects. */
  readonly url: string;
  /** The text, redacted like indexed and shown text. */
  readonly markdown?: string;
  /** The received HTML, decoded. */
  readonly html?: string;
  /** Absolute, in order of appearance, at most 10,000. */
  readonly links?: readonly string[];
  readonly metadata?: {
    readonly title: string;
    /** Null if there is none. */
    readonly description: string | null;
    /** BCP 47; null if the page declares none. */
    readonly language: string | null;
    readonly canonicalUrl: string | null;
    readonly noindex: boolean;
    readonly nofollow: boolean;
    /** HTTP status. */
    readonly status: number;
    readonly mediaType: string;
    /** WHATWG name. */
    readonly encoding: string;
    /** Length of the decoded body. */
    readonly bytes: number;
  };
}

export interface ScrapeDeps extends FetchAllowedDeps {
  readonly browser: Browser;
  readonly extractor: DocumentReader;
  readonly scratch: ScratchFiles;
  readonly redaction: PoliciesInForce;
  readonly robotName: string;
  /** Starts a time limit for a page. */
  readonly limit: () => AbortSignal;
}

/**
 * Reads one page and stores nothing. Applies the address policy, the robots rules and the limits of crawls.
 *
 * @throws DomainError not_configured, url_not_allowed, unsupported_file_type; PageUnavailable; the reason of `gone`
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
      throw late.aborted ? pageTimedOut() : error;
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
  const claims = { mediaType, url, robotName, withUnits: true, queueKey: tenant };
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

/** A caller must not see more of a page than if the page were indexed and then read. */
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
