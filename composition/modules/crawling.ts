import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createAddressPolicy } from '../../adapters/crawler/address-policy.ts';
import { createRenderingFetcher } from '../../adapters/crawler/browser/rendering-fetcher.ts';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createPageFetcher } from '../../adapters/crawler/page-fetcher.ts';
import { patternCompiler } from '../../adapters/crawler/pattern-compiler.ts';
import { createPolitenessGate } from '../../adapters/crawler/politeness.ts';
import { createRobotsPolicy } from '../../adapters/crawler/robots.ts';
import { createSitemapReader } from '../../adapters/crawler/sitemap.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { systemTimer } from '../../adapters/crawler/timer.ts';
import { createDocumentReader } from '../../adapters/extraction/document-reader.ts';
import { createTakeSound } from '../../adapters/models/transcription/sound.ts';
import { createTranscriber } from '../../adapters/models/transcription/transcriber.ts';
import { createTranscribingReader } from '../../adapters/models/transcription/transcribing-reader.ts';
import { createRecurrence } from '../../adapters/recurrence/recurrence.ts';
import type { Config } from '../config.ts';
import { tracedPageFetcher } from '../../adapters/telemetry/traced-page-fetcher.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';
import type { TranscriptionConfig } from '../transcription-config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECT_MS = 5_000;

const READER = new URL('../document-reader.ts', import.meta.url).href;

/** What reaches out: the crawler with its guard, the extractors in their processes, recurrence in its thread. */
export const crawlingModule = ({
  crawl,
  allowAddresses,
  extraction,
  transcription,
}: Config): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
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
    const fetcher = createPageFetcher({ dispatcher: agent, refusesTarget, gate, userAgent, ...limits });
    const pages = tracedPageFetcher(fetcher);
    provide(
      T.PageFetcher,
      ({ browser }) => tracedPageFetcher(createRenderingFetcher(fetcher, browser.render)),
      {
        browser: T.Browser,
      },
    ).onDeactivation(() => agent.destroy());
    bind(T.RobotsPolicies).toConstantValue(() =>
      createRobotsPolicy({ pages, gate, timer: systemTimer, userAgent }),
    );
    bind(T.SitemapReader).toConstantValue(createSitemapReader(pages));
    bind(T.PatternCompiler).toConstantValue(patternCompiler);
    const { processes, ...extractionLimits } = extraction;
    provide(
      T.DocumentReader,
      () => {
        const reader = createDocumentReader({ processes, limits: extractionLimits, module: READER });
        return transcription === undefined ? reader : withTranscription(reader, transcription);
      },
      {},
    ).onDeactivation((extractor) => extractor.close());
    provide(T.Recurrence, () => createRecurrence(), {}).onDeactivation((recurrence) => recurrence.close());
  });

/** Its connections close with it. */
const withTranscription = (
  reader: DocumentReader,
  { ffmpeg, ...config }: TranscriptionConfig,
): DocumentReader => {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: 4,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const takeSound = ffmpeg === undefined ? null : createTakeSound(ffmpeg);
  const transcribing = createTranscribingReader(
    reader,
    createTranscriber({ dispatcher, sleep, takeSound, ...config }),
  );
  return {
    ...transcribing,
    close: async () => {
      await Promise.all([transcribing.close(), dispatcher.destroy()]);
    },
  };
};
