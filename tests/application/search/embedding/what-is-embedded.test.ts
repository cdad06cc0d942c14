import {
  type Embedder,
  EmbedderUnavailable,
  EmbeddingRefused,
} from '../../../../application/ports/embedder.ts';
import { ProviderTimeout } from '../../../../application/ports/language-model.ts';
import type {
  HashedContent,
  PendingContent,
  VectorStore,
} from '../../../../application/ports/vector-store.ts';
import {
  embedPending,
  embedTexts,
  embeddedText,
} from '../../../../application/search/embedding/embed-pending.ts';
import { silent } from '../../../support/silent.ts';
import { describe, expect, it } from 'vitest';

const never = (): AbortSignal => new AbortController().signal;

/** Refuses texts with a `!`, or all of them; a vector is the length of its text. */
const embedderOf = (refuses: (text: string) => boolean = (text) => text.includes('!')) => {
  const asked: (readonly [readonly string[], string])[] = [];
  const embedder: Embedder = {
    model: 'm',
    dimensions: 1,
    embed: async (texts, kind) => {
      asked.push([texts, kind]);
      if (texts.some(refuses)) throw new EmbeddingRefused('too long');
      return texts.map((text) => Float32Array.of(text.length));
    },
  };
  return { asked, embedder };
};

describe('what is embedded', () => {
  describe('what is embedded of a content', () => {
    it.each([
      [{ title: 'T', headings: ['A', 'B'], text: 'x' }, 'T\nA\nB\nx'],
      [{ title: ' ', headings: ['', 'B'], text: 'x' }, 'B\nx'],
      [{ title: 'T', headings: [], text: '\n' }, 'T'],
    ])('of %j is %j', (content, text) => {
      expect(embeddedText(content)).toBe(text);
    });
  });

  const content = (place: number, more: Partial<PendingContent> = {}): PendingContent => ({
    place,
    tenant: 't',
    contentId: `c${place}`,
    label: `l${place}`,
    title: '',
    headings: [],
    text: `text ${place}`,
    ...more,
  });

  /** Embeds until it has waited so often; all that it asked and told, in a time that passes as it waits. */
  const run = async ({
    contents = [],
    known = [],
    idleMs = 5_000,
    waits = 1,
    gone = { retired: 0, swept: 0 },
    failsUntil = 0,
    refuses,
    error = new Error('down'),
  }: Given = {}) => {
    let now = 1_700_000_000_000;
    const began = now;
    const done = new AbortController();
    const calls: unknown[] = [];
    const told: unknown[] = [];
    const slept: number[] = [];
    const linked = new Set<string>();
    const { asked, embedder } = embedderOf(refuses);
    const note = (level: string) => (message: string, fields?: object) =>
      void told.push([level, message, fields]);
    let failed = 0;
    const store: VectorStore = {
      want: async (model) => void calls.push(['want', model]),
      pending: async (model, after, limit) => {
        if (failed < failsUntil) {
          failed += 1;
          throw error;
        }
        calls.push(['pending', model, after, limit]);
        return contents
          .filter(({ place, contentId }) => place > after && !linked.has(contentId))
          .slice(0, limit);
      },
      link: async (model, tenant, of) => {
        calls.push(['link', model, tenant, of.map(({ contentId, label }) => `${contentId} ${label}`)]);
        for (const { contentId, sha256 } of of) if (known.includes(sha256)) linked.add(contentId);
        return of.filter(({ sha256 }) => !known.includes(sha256));
      },
      keep: async (model, tenant, vectors, of) => {
        const shown = vectors.map(({ sha256, vector }) => [sha256, vector && [...vector]]);
        calls.push(['keep', model, tenant, shown, of.map(({ contentId }: HashedContent) => contentId)]);
        for (const { contentId } of of) linked.add(contentId);
      },
      sweep: async () => {
        calls.push(['sweep', now - began]);
        return gone.swept;
      },
      retire: async (model) => {
        calls.push(['retire', model, now - began]);
        return gone.retired;
      },
      forget: async () => {},
    };
    let idled = 0;
    await embedPending(
      {
        store,
        embedder,
        hash: { sha256: (text) => `#${String(text)}` },
        clock: { now: () => now },
        log: { ...silent, info: note('info'), warn: note('warn') },
        sleep: async (ms) => {
          slept.push(ms);
          now += ms;
        },
        idle: async (ms) => {
          slept.push(ms);
          now += idleMs;
          idled += 1;
          if (idled === waits) done.abort();
        },
      },
      done.signal,
    );
    const of = (name: string) => calls.filter((call) => (call as readonly unknown[])[0] === name);
    return { calls, of, told, slept, asked };
  };

  describe('contents that have no vector', () => {
    it('are embedded for each tenant, each text once, and none of which there is a vector', async () => {
      const contents = [
        content(1),
        content(2, { tenant: 'u' }),
        content(3, { text: 'text 1' }),
        content(4, { text: 'known' }),
      ];
      const { of, asked, told } = await run({ contents, known: ['#known'] });
      expect(of('want')).toEqual([['want', 'm']]);
      expect(of('link')).toEqual([
        ['link', 'm', 't', ['c1 l1', 'c3 l3', 'c4 l4']],
        ['link', 'm', 'u', ['c2 l2']],
      ]);
      expect(asked).toEqual([
        [['text 1'], 'document'],
        [['text 2'], 'document'],
      ]);
      expect(of('keep')).toEqual([
        ['keep', 'm', 't', [['#text 1', [6]]], ['c1', 'c3']],
        ['keep', 'm', 'u', [['#text 2', [6]]], ['c2']],
      ]);
      expect(told).toEqual([]);
    });

    it('and that the model refuses are kept as such, and told', async () => {
      const contents = [content(1, { text: 'no!' }), content(2)];
      const { of, told } = await run({ contents });
      expect(of('keep')).toEqual([
        [
          'keep',
          'm',
          't',
          [
            ['#no!', null],
            ['#text 2', [6]],
          ],
          ['c1', 'c2'],
        ],
      ]);
      expect(told).toEqual([['warn', 'the embedding model refuses texts', { model: 'm', texts: 1 }]]);
    });

    it('are looked for page by page, behind the last one, and from the beginning once a minute', async () => {
      const contents = Array.from({ length: 100 }, (_, n) => content(n + 1));
      const { of } = await run({ contents, waits: 3, idleMs: 29_750 });
      // Two waits of 250 and 29,750 ms are a minute.
      expect(of('pending').map((call) => (call as readonly unknown[]).slice(2))).toEqual(
        [0, 96, 100, 100, 0].map((after) => [after, 96]),
      );
      expect(of('retire').map((call) => (call as readonly unknown[])[2])).toEqual([0, 60_000]);
    });
  });

  describe('what nobody needs any more', () => {
    const minute = 59_750;

    it('is deleted after all was looked at, vectors without a text every ten minutes', async () => {
      const { of, told } = await run({ waits: 12, idleMs: minute, gone: { retired: 2, swept: 3 } });
      const at = (name: string) =>
        of(name).map((call) => Number((call as readonly unknown[]).at(-1)) / 60_000);
      expect(at('retire')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      expect(at('sweep')).toEqual([0, 10]);
      expect(of('retire')[0]).toEqual(['retire', 'm', 0]);
      expect(told.slice(0, 2)).toEqual([
        ['info', 'vectors of other models deleted', { vectors: 2 }],
        ['info', 'vectors without a text deleted', { vectors: 3 }],
      ]);
    });
  });

  describe('a provider that fails', () => {
    it('is asked again ever more seldom, and the log says so, and when it goes on', async () => {
      const { slept, told, of } = await run({ failsUntil: 11, error: new ProviderTimeout('end', 5) });
      const waits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000);
      expect(slept).toEqual([...waits, 250, 5_000]);
      expect(told[0]).toEqual([
        'warn',
        'embedding is delayed',
        {
          provider: 'embeddings',
          code: 'provider_timeout',
          waitedFor: 'end',
          model: 'm',
          error: new ProviderTimeout('end', 5).message,
          waitMs: 1_000,
        },
      ]);
      expect(told.slice(11)).toEqual([['info', 'embedding continues', { model: 'm' }]]);
      expect(of('want')).toHaveLength(1);
    });
  });
});

describe('texts that are embedded together', () => {
  it('are not at fault where the model refuses everything, or is away', async () => {
    const { asked, embedder } = embedderOf(() => true);
    await expect(embedTexts(embedder, ['a', 'b'], never())).rejects.toThrow(
      new EmbedderUnavailable('too long'),
    );
    const [probe, kind] = asked.at(-1)!;
    expect([probe.length, probe[0]!.length > 0, kind]).toEqual([1, true, 'document']);
    const away = new EmbedderUnavailable('down');
    const failing = (isDown: (texts: readonly string[]) => boolean): Embedder => ({
      ...embedder,
      embed: async (texts) => {
        throw isDown(texts) ? away : new EmbeddingRefused('too long');
      },
    });
    await expect(
      embedTexts(
        failing(() => true),
        ['a'],
        never(),
      ),
    ).rejects.toBe(away);
    // What is away is not taken for what is refused, though it is back at once.
    let calls = 0;
    const back: Embedder = {
      ...embedderOf().embedder,
      embed: async () => {
        if ((calls += 1) === 1) throw away;
        return [];
      },
    };
    await expect(embedTexts(back, ['a'], never())).rejects.toBe(away);
    // It goes down between the refusal and the probe.
    await expect(
      embedTexts(
        failing(([text]) => text !== 'a'),
        ['a'],
        never(),
      ),
    ).rejects.toBe(away);
  });
});

interface Given {
  readonly contents?: readonly PendingContent[];
  /** Hashes of which there is a vector. */
  readonly known?: readonly string[];
  readonly idleMs?: number;
  readonly waits?: number;
  readonly gone?: { readonly retired: number; readonly swept: number };
  readonly failsUntil?: number;
  readonly refuses?: (text: string) => boolean;
  readonly error?: Error;
}
