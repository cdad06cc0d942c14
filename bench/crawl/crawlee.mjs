// Crawlee as its documentation shows it, without storing anything: fetches, parses, follows links of the same host.
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

const [startUrl, fetches] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);
let pages = 0;
const crawler = new CheerioCrawler(
  {
    minConcurrency: Number(fetches),
    maxConcurrency: Number(fetches),
    requestHandler: async ({ enqueueLinks }) => {
      pages += 1;
      await enqueueLinks({ strategy: 'same-hostname' });
    },
  },
  new Configuration({ persistStorage: false }),
);
const begun = performance.now();
await crawler.run([startUrl]);
process.send({ pages, ms: performance.now() - begun });
process.on('disconnect', () => process.exit());
