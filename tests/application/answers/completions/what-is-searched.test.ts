import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { fingerprintsOf } from '../../../../application/answers/completions/once.ts';
import { createComplete } from '../../../../application/answers/completions/complete.ts';
import { CALLER, completions, request, scripted, webOf } from '../../../support/completions.ts';

const never = new AbortController().signal;

describe('what contents are searched by', () => {
  it('is asked for whom the request names, and by its policy where it names one', async () => {
    const { deps } = completions(scripted('So.'));
    const behalf: unknown[] = [];
    const search: typeof deps.search = (caller, wanted, onBehalfOf) => {
      behalf.push(onBehalfOf);
      return deps.search(caller, wanted, onBehalfOf);
    };
    const complete = createComplete({ ...deps, search });
    await complete(CALLER, request({ principalId: 'jo' }), never);
    await complete(CALLER, request({ principalId: 'jo', authzPolicy: 'strict' }), never);
    expect(behalf).toStrictEqual([{ principalId: 'jo' }, { principalId: 'jo', authzPolicy: 'strict' }]);
  });
});

describe('what the web is searched by', () => {
  it('has 400 characters at the most, and no part of a word at its end', async () => {
    const { ground, asked: sent } = webOf();
    const fits = `${'a'.repeat(390)} ${'b'.repeat(9)}`;
    await ground('acme', fits, never);
    await ground('acme', `${fits}b`, never);
    await ground('acme', `${fits} c`, never);
    expect(sent).toEqual([fits, 'a'.repeat(390), fits]);
  });
});

describe('a repeated request', () => {
  const raw = { filters: [{ key: 'a', operator: 'eq', val: 'b' }] };
  const written = { sha256: (text: string | Uint8Array) => String(text) };
  const formsOf = (filter: object) => fingerprintsOf(written, request({ filter }));

  it('is known in one form, and in that of before where it filters by metadata of either kind', () => {
    const [onSources, onChunks] = [[{ name: 'metadata', raw }], [{ name: 'chunk_metadata', raw }]];
    expect(formsOf({ fileTypes: ['pdf'] })).toHaveLength(1);
    const places = (filter: object) => (JSON.parse(formsOf(filter)[1]!) as { filter: object }).filter;
    expect(places({ onSources })).toEqual({ onSources });
    expect(places({ onChunks })).toEqual({ onChunks });
    expect(places({ onSources, onChunks, fileTypes: ['pdf'] })).toEqual({
      onSources,
      onChunks,
      file_types: ['pdf'],
    });
    expect(fingerprintsOf(sha256, request())).toHaveLength(1);
  });
});
