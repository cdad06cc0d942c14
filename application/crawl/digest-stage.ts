import type { LocalFile, StoredFile } from '../ports/file-store.ts';
import type { ExtractionOutcome } from '../ports/text-extractor.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Fetched, WithPage } from './fetch-stage.ts';
import type { Visit } from './visit.ts';
import { visitOfPage } from './visit-of-page.ts';
import { visitWithoutPage } from './visit-without-page.ts';

/** Turns fetched pages into visits: stores what came, extracts what changed. @throws the reason of `signal` */
export const digest = async (
  deps: CrawlDeps,
  crawl: Crawl,
  batch: readonly Fetched[],
  signal: AbortSignal,
): Promise<readonly Visit[]> => {
  crawl.job.stillOurs();
  const area = await deps.files.area(crawl.run.data_source_id);
  const at = deps.clock.now();
  const changed = batch.filter((fetched): fetched is WithPage => isNew(deps, crawl, fetched));
  const { raws, outcomes } = await area.putLocally(
    changed.map(({ outcome }) => outcome.body),
    async (files) => ({
      raws: files.map(({ sha256, bytes }): StoredFile => ({ sha256, bytes })),
      outcomes: await extract(deps, crawl, changed, files, signal),
    }),
  );
  const texts = outcomes.map((outcome) =>
    outcome.kind === 'document' ? new TextEncoder().encode(deps.writeChunkSet(outcome.chunkSet)) : null,
  );
  crawl.job.stillOurs();
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

/** Without the policies nothing is read: the job fails, and is tried again. */
const extract = async (
  { extractor, robotName, redaction }: CrawlDeps,
  { job }: Crawl,
  changed: readonly WithPage[],
  files: readonly LocalFile[],
  signal: AbortSignal,
): Promise<ExtractionOutcome[]> => {
  const { rules } = await redaction.at(job.tenant, 'ingestion');
  return extractor.extractBatch(
    changed.map(({ outcome }, i) => ({
      file: (files[i] as LocalFile).path,
      bytes: outcome.body.byteLength,
      mediaType: outcome.mediaType,
      ...(outcome.charset !== null && { charset: outcome.charset }),
      url: outcome.finalUrl,
      robotName,
      turn: job.data_source_id,
      ...(rules.length > 0 && { redaction: rules }),
    })),
    signal,
  );
};

/** The content hash is the judge: a page whose bytes are those of its last success is not extracted again. */
const isNew = ({ hash }: CrawlDeps, crawl: Crawl, { owed, outcome }: Fetched): boolean => {
  if (outcome.kind !== 'page') return false;
  if (owed.known === undefined || owed.known.failed || crawl.job.job.mode === 'full') return true;
  return outcome.finalUrl !== owed.url || hash.sha256(outcome.body) !== owed.known.raw_sha256;
};
