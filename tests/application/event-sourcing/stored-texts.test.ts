import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createMemoryVault } from '../../support/memory/vault.ts';
import {
  bodiesOfAnswer,
  parsePages,
  parseQuestion,
  parseShown,
  textOfQuestion,
  type Shown,
} from '../../../application/answers/conversations/message-text.ts';
import { createSecretTexts, type KeptValue } from '../../../application/access/secrets/kept-value.ts';
import { secretStream } from '../../../application/event-sourcing/streams.ts';

const FOLDER = new URL('stored-texts/', import.meta.url);
const page = { url: 'https://example.org/größer', title: 'A page' };

const SHOWN: Shown = {
  contentIds: ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'],
  pages: [page],
  queries: ['pump pressure'],
  suggestion: '<div>more</div>',
};
const KEPT: KeptValue = {
  value: { type: 'oauth_refresh', clientId: 'client', clientSecret: 'größer', refreshToken: 'token' },
  access: { token: 't', expiresAt: 1_763_650_000_000, exchange: 'https://accounts.example/token read' },
};
const QUESTION = [
  { role: 'assistant', content: 'Which pump?' },
  { role: 'user', content: 'The größer one' },
] as const;

const [tenant, id, valueId] = ['acme', '019a0000-0000-7000-8000-00000000000c', 'v1'];
const textOfSecret = async (): Promise<string | undefined> => {
  const vault = createMemoryVault();
  const texts = createSecretTexts(vault);
  await texts.open(tenant, id);
  await texts.put(tenant, id, valueId, KEPT);
  return (await vault.read(tenant, secretStream(id), [valueId]))?.get(valueId);
};
const readSecret = async (text: string): Promise<KeptValue | null> => {
  const vault = createMemoryVault();
  await vault.create(tenant, secretStream(id));
  await vault.put(tenant, secretStream(id), [{ id: valueId, text }]);
  return createSecretTexts(vault).read(tenant, id, valueId);
};
const bodyOf = (place: number): string | undefined => bodiesOfAnswer('a', 'text', [page], SHOWN)[place]?.text;

/** A file holds how a text is written now, and then how earlier versions wrote it: all of them are read for ever. */
const KINDS = [
  ['question', QUESTION, () => textOfQuestion(QUESTION), parseQuestion],
  ['web-citations', [page], () => bodyOf(1), parsePages],
  ['shown', SHOWN, () => bodyOf(2), parseShown],
  ['secret-value', KEPT, textOfSecret, readSecret],
] as const;

describe('a text that lies in the vault', () => {
  it.each(KINDS)('is read as any version wrote it: %s', async (name, meant, write, read) => {
    const stored: readonly unknown[] = JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'));
    for (const one of stored) expect(await read(JSON.stringify(one))).toEqual(meant);
    expect(JSON.parse((await write()) ?? '')).toEqual(stored[0]);
  });
});
