import { describe, expect, it } from 'vitest';
import {
  bodiesOfAnswer,
  parsePromptSources,
} from '../../../../application/answers/conversations/message-text.ts';
import {
  type VaultSweepsDeps,
  runVaultSweeps,
  sweepVault,
} from '../../../../application/agents/sweep-vault.ts';
import type { OwnedTexts, Vault } from '../../../../application/ports/vault.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { silent } from '../../../support/silent.ts';

const HOUR = 3_600_000;
const never = (): AbortSignal => new AbortController().signal;
const holdingsOf = (count: number, first: number): readonly OwnedTexts[] =>
  Array.from({ length: count }, (_, n) => ({
    tenant: 'acme',
    owner: `conversation-${String(first + n).padStart(5, '0')}`,
    ids: ['x'],
  }));

/** A vault that holds these, in pages, and what it was asked; nothing of it was ever recorded. */
const sweeping = (
  pages: readonly (readonly OwnedTexts[])[],
  load: () => Promise<unknown> = async () => null,
) => {
  const asked: unknown[] = [];
  const destroyed: string[] = [];
  const vault = {
    writtenBetween: async (...of: unknown[]) => {
      asked.push(of);
      return pages[asked.length - 1] ?? [];
    },
    destroy: async (_tenant: string, owner: string) => void destroyed.push(owner),
  } as unknown as Vault;
  const execute = { load, history: load } as unknown as VaultSweepsDeps['execute'];
  return { asked, destroyed, deps: { vault, execute } };
};

describe('the sweep of the vault', () => {
  it('ends behind a full page, and where there is nothing', async () => {
    const full = sweeping([holdingsOf(200, 0)]);
    expect(await sweepVault(full.deps, never())).toEqual({ keys: 200, texts: 200 });
    expect(full.asked).toHaveLength(2);
    const empty = sweeping([]);
    expect(await sweepVault(empty.deps, never())).toEqual({ keys: 0, texts: 0 });
    expect(empty.asked).toHaveLength(1);
  });

  it.each(['conversation-1', 'secret-1', 'agentThread-1'])(
    'takes %s that was never recorded, and leaves what a newer version has written to alone',
    async (owner) => {
      const pages = [[{ tenant: 'acme', owner, ids: ['x', 'y'] }]];
      const unrecorded = sweeping(pages);
      expect(await sweepVault(unrecorded.deps, never())).toEqual({ keys: 1, texts: 2 });
      expect(unrecorded.destroyed).toEqual([owner]);
      const failing = (error: Error) =>
        sweeping(pages, async () => {
          throw error;
        });
      const newer = failing(new DomainError('unavailable', 'a newer version has written to it'));
      expect(await sweepVault(newer.deps, never())).toEqual({ keys: 0, texts: 0 });
      const away = new Error('the store is away');
      await expect(sweepVault(failing(away).deps, never())).rejects.toBe(away);
    },
  );

  it('leaves alone what is of nobody that it knows', async () => {
    const { destroyed, deps } = sweeping([[{ tenant: 'acme', owner: 'visit-1', ids: ['x'] }]]);
    expect([await sweepVault(deps, never()), destroyed]).toEqual([{ keys: 0, texts: 0 }, []]);
  });
});

describe('sweeps', () => {
  const swept = async (pages: readonly (readonly OwnedTexts[])[], load?: () => Promise<unknown>) => {
    const lines: unknown[] = [];
    const waits: number[] = [];
    const stop = new AbortController();
    const log = {
      ...silent,
      info: (...line: unknown[]) => void lines.push(['info', ...line]),
      warn: (...line: unknown[]) => void lines.push(['warn', ...line]),
    };
    const idle = async (ms: number) => {
      waits.push(ms);
      if (waits.length === 2) stop.abort();
    };
    const { deps, asked } = sweeping(pages, load);
    await runVaultSweeps({ ...deps, log, idle }, stop.signal);
    return { lines, waits, asked };
  };

  it('come every hour until they are stopped, and say what they have deleted', async () => {
    const { lines, waits, asked } = await swept([holdingsOf(2, 0)]);
    expect([waits, asked.length]).toEqual([[HOUR, HOUR], 2]);
    expect(lines).toEqual([['info', 'deleted what crashes have left in the vault', { keys: 2, texts: 2 }]]);
  });

  it('say so when one fails, and go on', async () => {
    const { lines, waits } = await swept([holdingsOf(1, 0)], async () => {
      throw new Error('away');
    });
    expect(waits).toHaveLength(2);
    expect(lines).toEqual([['warn', 'the vault could not be swept', { error: 'away' }]]);
  });
});

describe('the texts of an answer', () => {
  it('tell what the model was shown, where they do', () => {
    const shown = {
      contentIds: ['c'],
      pages: [{ url: 'u', title: 't' }],
      queries: ['q'],
      suggestion: 's',
    };
    const bodies = bodiesOfAnswer('id', 'text', [], shown);
    expect(bodies.map(({ id }) => id)).toEqual(['id', 'id/shown']);
    expect(Object.keys(JSON.parse(bodies[1]!.text) as object)).toContain('content_ids');
    expect(parsePromptSources(bodies[1]!.text)).toEqual(shown);
    expect(bodiesOfAnswer('id', 'text', [])).toEqual([{ id: 'id', text: 'text' }]);
    expect(parsePromptSources(undefined)).toEqual({ contentIds: [], pages: [], queries: [], suggestion: '' });
  });
});
