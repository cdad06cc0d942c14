import type { Dispatcher } from 'undici';
import type { Witness } from '../../application/ports/log-tree.ts';
import type { VerifierKey } from '../../domain/proof/note.ts';
import { responseOf, textOf } from '../http-client/provider-response.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 64 * 1024;

/**
 * A witness over HTTP (C2SP tlog-witness).
 *
 * @param prefix its submission prefix, without a trailing slash
 */
export const createWitness = (dispatcher: Dispatcher, key: VerifierKey, prefix: string): Witness => ({
  key,
  addCheckpoint: async ({ old, proof, checkpoint }) => {
    const { origin, pathname } = new URL(`${prefix}/add-checkpoint`);
    const answer = await dispatcher.request({
      origin,
      path: pathname,
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `old ${old}\n${proof.map((hash) => `${hash}\n`).join('')}\n${checkpoint}`,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status } = responseOf(answer, new URL(prefix), MAX_BYTES);
    const text = await textOf(responseOf(answer, new URL(prefix), MAX_BYTES));
    if (status === 200) return { signatures: text.split('\n').filter((line) => line !== '') };
    if (status === 409 && /^\d{1,15}\n?$/.test(text)) return { size: Number(text) };
    throw new Error(`the witness ${key.name} answered ${status}`);
  },
});
