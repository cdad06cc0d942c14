import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { fingerprintsOf } from '../../../../application/answers/completions/once.ts';
import { chooseModel } from '../../../../application/answers/completions/model-choice.ts';
import { createComplete } from '../../../../application/answers/completions/complete.ts';
import { CALLER, completions, offerOf, request, scripted, webOf } from '../../../support/completions.ts';

const never = new AbortController().signal;
const asked = (content: string) => ({ role: 'user', content }) as const;
const queriesOf = async (...questions: readonly string[]) => {
  const open = completions(scripted('So.'), 1, { history: questions.map(asked) });
  await Array.fromAsync((await open.complete(CALLER, request(), never)).events);
  return open.queries;
};

describe('what contents are searched by', () => {
  it('is the question without the blanks around it, and as short as its words are few', async () => {
    const before = ' How is it installed? ';
    expect(await queriesOf(before, ' And  on\n\n Windows  too? ')).toEqual([
      'And  on\n\n Windows  too? How is it installed?',
    ]);
  });

  it('has four thousand characters at the most', async () => {
    const long = 'word '.repeat(1_000);
    expect(await queriesOf(long)).toEqual([long.slice(0, 4_000)]);
  });

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
  it('is one line', async () => {
    const { ground, asked: sent } = webOf();
    await ground('acme', '  What \n\t is it? ', never);
    expect(sent).toEqual(['What is it?']);
  });

  it('is nothing where nothing is left of the question', async () => {
    const { ground, asked: sent } = webOf();
    expect(await ground('acme', ' \n ', never)).toEqual({ results: [], queries: [], suggestion: '' });
    expect(sent).toEqual([]);
  });

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

describe('a model', () => {
  it('is asked for no temperature and no length where the request names none', () => {
    const model = scripted('x');
    expect(chooseModel(offerOf(model), {})).toStrictEqual({ model });
  });

  it('that is not set up is told by the field that is to be left out', () => {
    const offer = offerOf(scripted('x'), { isConfigured: false });
    const message = 'no language model is set up here: leave model out';
    expect(() => chooseModel(offer, { model: 'x', temperature: 0 })).toThrow(message);
  });
});
