import type {
  CrawlFrontier,
  CrawlRun,
  PendingPage,
  VisitedPage,
} from '../../application/ports/crawl-frontier.ts';
import { NO_COUNTS } from '../../domain/data-source/index.ts';

interface Row {
  readonly url: string;
  readonly depth: number;
  /** In which it was admitted last, and in the how-manieth place. */
  readonly generation: number;
  readonly place: number;
  readonly visit: (VisitedPage & { readonly generation: number }) | null;
  readonly links: readonly string[];
  readonly known: PendingPage['known'];
  readonly source: { readonly id: string; readonly generation: number } | null;
  readonly ignoresCanonical: boolean;
}

/** The pages of one crawl, in memory, as the port says it. `catalog`: ids of the sources that the catalog has. */
export const createMemoryFrontier = (catalog: () => readonly string[] = () => []) => {
  const rows = new Map<string, Row>();
  const texts = new Map<string, string>();
  let place = 0;
  const all = (): readonly Row[] => [...rows.values()];
  const change = (url: string, more: Partial<Row>): void => {
    const none = {
      depth: 0,
      generation: 0,
      place: 0,
      visit: null,
      links: [],
      known: undefined,
      source: null,
    };
    rows.set(url, { ...none, ignoresCanonical: false, ...rows.get(url), ...more, url });
  };
  const admitted = ({ generation }: CrawlRun): readonly Row[] =>
    all().filter((row) => row.generation === generation);
  const visits = ({ generation }: CrawlRun): readonly VisitedPage[] =>
    all().flatMap(({ visit }) => (visit?.generation === generation ? [visit] : []));
  const enter = (run: CrawlRun, url: string, depth: number): boolean => {
    if (rows.get(url)?.generation === run.generation) return false;
    change(url, { generation: run.generation, depth, place: (place += 1), ignoresCanonical: false });
    return true;
  };
  const knownAfter = (
    { known }: Row,
    { outcome, etag, lastModified, rawSha256 }: VisitedPage,
  ): Row['known'] => {
    if (rawSha256 !== null) return { etag, lastModified, rawSha256, failed: false };
    return outcome === 'failed' && known !== undefined ? { ...known, failed: true } : undefined;
  };
  const newest = (): number => Math.max(0, ...all().map(({ generation }) => generation));
  const frontier: CrawlFrontier = {
    admit: async (run, pages) => {
      for (const { url, depth } of pages) enter(run, url, depth);
    },
    admitKnown: async (run) => {
      for (const { url, depth, source } of all()) if (source !== null) enter(run, url, depth);
    },
    pending: async (run, limit, except) =>
      admitted(run)
        .filter(({ url, visit, ignoresCanonical }) => {
          const isVisited = visit?.generation === run.generation && !ignoresCanonical;
          return !isVisited && !except.includes(url);
        })
        .toSorted((a, b) => a.depth - b.depth || a.place - b.place)
        .slice(0, limit)
        .map(({ url, depth, links, known, ignoresCanonical }) => ({
          url,
          depth,
          links,
          ...(known !== undefined && { known }),
          ...(ignoresCanonical && { ignoresCanonical }),
        })),
    commit: async (run, visited, pages) => {
      for (const visit of visited) {
        enter(run, visit.url, 0);
        const row = rows.get(visit.url)!;
        const { outcome, links, sourceId } = visit;
        const leads = outcome === 'failed' || outcome === 'robots' ? row.links : links;
        const source = sourceId === null ? row.source : { id: sourceId, generation: run.generation };
        const known = knownAfter(row, visit);
        if (visit.textSha256 !== null) texts.set(visit.url, visit.textSha256);
        const of = { visit: { ...visit, generation: run.generation }, links: leads, ignoresCanonical: false };
        change(visit.url, { ...of, source, known });
      }
      return pages.filter(({ url, depth }) => enter(run, url, depth));
    },
    requeueDuplicates: async (run) => {
      const stored = new Set(visits(run).flatMap((one) => (one.rawSha256 === null ? [] : [one.url])));
      const asked = new Set<string>();
      for (const { url, code, message } of visits(run)) {
        if (code !== 'duplicate' || message === null || stored.has(message) || asked.has(message)) continue;
        asked.add(message);
        change(url, { ignoresCanonical: true });
      }
      return asked.size;
    },
    redirectOf: async (run, url) => {
      const found = visits(run).find((visit) => visit.url === url);
      return found?.code === 'redirected' ? found.message : null;
    },
    lastRedirectOf: async (_, url) => {
      const visit = rows.get(url)?.visit;
      return visit?.code === 'redirected' ? visit.message : null;
    },
    documents: async () =>
      all()
        .flatMap(({ url, source }) => (source ? [url] : []))
        .toSorted(),
    documentsAt: async (_, urls) =>
      all().flatMap(({ url, source, known }) =>
        source && known && urls.includes(url) ? [{ url, sha256: texts.get(url) ?? known.rawSha256 }] : [],
      ),
    lost: async (run) =>
      visits(run).filter((one) => one.outcome === 'failed' && one.sourceId !== null).length,
    counts: async (run) => {
      const seen = visits(run);
      const of = (...outcomes: readonly string[]) =>
        seen.filter((one) => outcomes.includes(one.outcome)).length;
      const bytes = seen.reduce((sum, one) => sum + one.bytes, 0);
      const [indexed, unchanged, failed] = [of('indexed'), of('unchanged'), of('failed')];
      const skipped = of('skipped', 'robots');
      return { ...NO_COUNTS, seen: seen.length, indexed, unchanged, skipped, failed, bytes };
    },
    admitted: async (run) => admitted(run).length,
    unseen: async ({ generation }, pass, limit) =>
      all()
        .filter(({ source }) => source !== null && source.generation < generation)
        .filter(({ visit }) => pass === 'complete' || visit?.generation === generation)
        .map(({ url, source }) => ({ url, sourceId: source!.id }))
        .slice(0, limit),
    surplus: async ({ generation }, most, limit) => {
      const sources = all().filter(({ source }) => source !== null);
      const unseen = sources
        .filter(({ source }) => source!.generation < generation)
        .toSorted((a, b) => a.source!.generation - b.source!.generation);
      const many = Math.min(limit, Math.max(0, sources.length - most));
      return unseen.slice(0, many).map(({ url, source }) => ({ url, sourceId: source!.id }));
    },
    orphans: async (_, after, limit) => {
      const known = new Set(all().map(({ source }) => source?.id));
      return catalog()
        .filter((id) => !known.has(id) && id > (after ?? ''))
        .toSorted()
        .slice(0, limit);
    },
    forget: async ({ generation }, urls) => {
      for (const url of urls)
        if (rows.get(url)?.generation === generation) change(url, { source: null });
        else rows.delete(url);
    },
    forgetDocument: async (_, sourceId) => {
      for (const { url, source } of all()) if (source?.id === sourceId) change(url, { known: undefined });
    },
    purge: async () => rows.clear(),
    errors: async (_, { limit }) => {
      const errors = visits({ dataSourceId: '', generation: newest() })
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ url, code, message, at, attempt }) => {
          const why = { code: code ?? '', message: message ?? '' };
          return { locator: url, ...why, at, attempt };
        });
      return { rows: errors.slice(0, limit), hasMore: errors.length > limit, total: errors.length };
    },
    robotsBlocked: async (_, limit) =>
      visits({ dataSourceId: '', generation: newest() })
        .filter(({ outcome }) => outcome === 'robots')
        .map(({ url }) => url)
        .slice(0, limit),
  };
  return {
    frontier,
    /** Outcomes of the newest visits, with their codes, by URL. */
    outcomes: (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        all().flatMap(({ url, visit }) =>
          visit === null
            ? []
            : [[url, visit.code === null ? visit.outcome : `${visit.outcome}: ${visit.code}`]],
        ),
      ),
    visitOf: (url: string) => rows.get(url)?.visit,
  };
};
