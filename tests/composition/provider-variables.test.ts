import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../composition/config.ts';

const PROVIDERS = ['LLM', 'EMBEDDINGS', 'RERANK', 'TRANSCRIPTION', 'WEB_SEARCH'];
const read = (env: { readonly [name: string]: string }) => (): unknown => readConfig(env, true);
/** All that the provider needs. */
const whole = (of: string) => ({ [`${of}_URL`]: 'https://models.example/v1', [`${of}_MODEL`]: 'small' });

describe.each(PROVIDERS)('the variables of %s', (of) => {
  it.each([
    'https://me:sk-secret@models.example/v1',
    'https://sk-secret@models.example/v1',
    'https://models.example/v1?key=sk-secret',
    'https://models.example/v1#sk-secret',
  ])('take no address like %s, and say where the key goes', (address) => {
    const env = { ...whole(of), [`${of}_URL`]: address };
    expect(read(env)).toThrow(
      new ConfigError(`${of}_URL takes no credentials and no query: set ${of}_API_KEY`),
    );
  });

  it.each([
    ['spaces', 'sk secret'],
    ['a line feed', 'sk-secret\n'],
    ['other characters', 'sk-größer'],
    ['4,001 characters', 's'.repeat(4_001)],
  ])('take no key with %s', (_, key) => {
    const env = { ...whole(of), [`${of}_API_KEY`]: key };
    expect(read(env)).toThrow(new ConfigError(`${of}_API_KEY takes visible ASCII characters without spaces`));
  });

  it('take an address, a key and the name of a model', () => {
    expect(read({ ...whole(of), [`${of}_API_KEY`]: 's'.repeat(4_000) })).not.toThrow();
  });
});
