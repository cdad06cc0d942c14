import { ContainerModule } from 'inversify';
import { createAddressPolicy } from '../../adapters/crawler/address-policy.ts';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createPageFetcher } from '../../adapters/crawler/page-fetcher.ts';
import { patternCompiler } from '../../adapters/crawler/pattern-compiler.ts';
import { createPolitenessGate } from '../../adapters/crawler/politeness.ts';
import { createRobotsPolicy } from '../../adapters/crawler/robots.ts';
import { createSitemapReader } from '../../adapters/crawler/sitemap.ts';
import { systemTimer } from '../../adapters/crawler/timer.ts';
import { createTextExtractor } from '../../adapters/extraction/text-extractor.ts';
import { createRecurrence } from '../../adapters/recurrence/recurrence.ts';
import type { Config } from '../config.ts';
import { tracedPageFetcher } from '../../adapters/telemetry/traced-page-fetcher.ts';
import { TOKENS } from '../tokens.ts';

const READER = new URL('../document-reader.ts', import.meta.url).href;

/** What reaches out: the crawler with its guard, the extractors in their processes, recurrence in its thread. */
export const crawlingModule = ({ crawl, allowAddresses, extraction }: Config): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const agent = createGuardedAgent({ allowAddresses, connections: crawl.concurrency });
    const gate = createPolitenessGate({
      maxConcurrency: crawl.concurrency,
      minDelayMs: crawl.delayMs,
      maxDelayMs: 60_000,
      timer: systemTimer,
    });
    const { userAgent, maxBytes, timeoutMs } = crawl;
    const { refusesLiteral: refusesTarget } = createAddressPolicy(allowAddresses);
    const limits = { maxBytes, timeoutMs };
    const pages = tracedPageFetcher(
      createPageFetcher({ dispatcher: agent, refusesTarget, gate, userAgent, ...limits }),
    );
    bind(TOKENS.PageFetcher)
      .toResolvedValue(() => pages)
      .inSingletonScope()
      .onDeactivation(() => agent.destroy());
    bind(TOKENS.RobotsPolicies).toConstantValue(() =>
      createRobotsPolicy({ pages, gate, timer: systemTimer, userAgent }),
    );
    bind(TOKENS.SitemapReader).toConstantValue(createSitemapReader(pages));
    bind(TOKENS.PatternCompiler).toConstantValue(patternCompiler);
    const { processes, ...extractionLimits } = extraction;
    bind(TOKENS.TextExtractor)
      .toResolvedValue(() => createTextExtractor({ processes, limits: extractionLimits, module: READER }))
      .inSingletonScope()
      .onDeactivation((extractor) => extractor.close());
    bind(TOKENS.Recurrence)
      .toResolvedValue(() => createRecurrence())
      .inSingletonScope()
      .onDeactivation((recurrence) => recurrence.close());
  });
