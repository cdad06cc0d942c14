import { type Embedder, EmbeddingRefused, EmbedderUnavailable } from '../../ports/embedder.ts';
import type { Clock, Hash } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { HashedContent, PendingContent, VectorStore } from '../../ports/vector-store.ts';
import { providerFailure } from '../../ports/language-model.ts';

/** The text that is embedded for a content: with title and headings, because a passage alone often lacks its topic. */
export const embeddedText = ({
  title,
  headings,
  text,
}: Pick<PendingContent, 'title' | 'headings' | 'text'>): string =>
  [title, ...headings, text].filter((part) => part.trim() !== '').join('\n');

/** A text that every model embeds. */
const PROBE = 'probe';

/**
 * Returns one vector per text; null for a text that the model refuses. A refused batch is split in halves, so that one
 * text does not block the others.
 *
 * @throws EmbedderUnavailable also when the model refuses even the probe text: then the text is not the cause
 */
export const embedTexts = async (
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (Float32Array | null)[]> => {
  try {
    return await embedder.embed(texts, 'document', signal);
  } catch (error) {
    if (!(error instanceof EmbeddingRefused)) throw error;
    if (texts.length === 1) {
      await mustEmbedAnything(embedder, signal);
      return [null];
    }
  }
  const middle = Math.ceil(texts.length / 2);
  const first = await embedTexts(embedder, texts.slice(0, middle), signal);
  return [...first, ...(await embedTexts(embedder, texts.slice(middle), signal))];
};

const mustEmbedAnything = async (embedder: Embedder, signal: AbortSignal): Promise<void> => {
  try {
    await embedder.embed([PROBE], 'document', signal);
  } catch (error) {
    if (error instanceof EmbeddingRefused) throw new EmbedderUnavailable(error.message);
    throw error;
  }
};

export interface EmbeddingDeps {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Waits until contents may be pending, for at most `ms` milliseconds, or until aborted. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Contents per batch: about as many texts as a provider accepts in one request. */
const BATCH_SIZE = 96;
/** Minimum delay between two polls, even when notified, and maximum delay without a notification. */
const PAUSE_MS = 250;
const POLL_MS = 5_000;
/** Sort positions ascend, except after a rebuild, so all contents are checked from time to time. */
const FULL_SCAN_MS = 60_000;
const SWEEP_MS = 600_000;
const MIN_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 300_000;

/**
 * Embeds the contents of the live catalog that have no vector, until `signal` aborts. There is no checkpoint: the
 * catalog determines what is pending, so a crash, a rebuild or a new model needs no special handling. Several
 * processes may run it; one is enough.
 *
 * After failures, the provider is called with growing delays.
 */
export const embedPending = async (deps: EmbeddingDeps, signal: AbortSignal): Promise<void> => {
  const { store, embedder, clock, log, sleep, idle } = deps;
  const pass = { after: 0, isFullScan: true, began: clock.now(), swept: -Infinity };
  let failures = 0;
  let isRegistered = false;
  while (!signal.aborted) {
    try {
      if (!isRegistered) await store.want(embedder.model);
      isRegistered = true;
      const last = await embedPage(deps, pass.after, signal);
      if (failures > 0) log.info('embedding continues', { model: embedder.model });
      failures = 0;
      if (last !== null) {
        pass.after = last;
        continue;
      }
      if (pass.isFullScan) await deleteObsolete(deps, pass);
      await sleep(PAUSE_MS, signal);
      await idle(POLL_MS, signal);
      pass.isFullScan = clock.now() - pass.began >= FULL_SCAN_MS;
      if (pass.isFullScan) Object.assign(pass, { after: 0, began: clock.now() });
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const wait = Math.min(MIN_BACK_OFF_MS * 2 ** (failures - 1), MAX_BACK_OFF_MS);
      log.warn('embedding is delayed', {
        ...providerFailure('embeddings', error),
        model: embedder.model,
        error: (error as Error).message,
        waitMs: wait,
      });
      await sleep(wait, signal);
    }
  }
};

/** Deletes obsolete vectors. Called when all contents have been checked and have vectors. */
const deleteObsolete = async (
  { store, embedder, clock, log }: EmbeddingDeps,
  pass: { swept: number },
): Promise<void> => {
  const retired = await store.retire(embedder.model);
  if (retired > 0) log.info('vectors of other models deleted', { vectors: retired });
  if (clock.now() - pass.swept < SWEEP_MS) return;
  pass.swept = clock.now();
  const swept = await store.sweep();
  if (swept > 0) log.info('vectors without a text deleted', { vectors: swept });
};

/** Embeds one batch; returns the sort position of its last content, or null when nothing was pending. */
const embedPage = async (deps: EmbeddingDeps, after: number, signal: AbortSignal): Promise<number | null> => {
  const pending = await deps.store.pending(deps.embedder.model, after, BATCH_SIZE);
  for (const [tenant, contents] of Map.groupBy(pending, (content) => content.tenant))
    await embedContents(deps, tenant, contents, signal);
  return pending.at(-1)?.place ?? null;
};

const embedContents = async (
  { store, embedder, hash, log }: EmbeddingDeps,
  tenant: string,
  contents: readonly PendingContent[],
  signal: AbortSignal,
): Promise<void> => {
  const texts = new Map<string, string>();
  const hashed = contents.map((content): HashedContent => {
    const text = embeddedText(content);
    const sha256 = hash.sha256(text);
    texts.set(sha256, text);
    return { contentId: content.contentId, label: content.label, sha256 };
  });
  const unknown = await store.link(embedder.model, tenant, hashed);
  const missing = [...new Set(unknown.map(({ sha256 }) => sha256))];
  if (missing.length === 0) return;
  const vectors = await embedTexts(
    embedder,
    missing.map((sha256) => texts.get(sha256) ?? ''),
    signal,
  );
  const refused = vectors.filter((vector) => vector === null).length;
  if (refused > 0) log.warn('the embedding model refuses texts', { model: embedder.model, texts: refused });
  const embedded = missing.map((sha256, i) => ({ sha256, vector: vectors[i] ?? null }));
  await store.keep(embedder.model, tenant, embedded, unknown);
};
