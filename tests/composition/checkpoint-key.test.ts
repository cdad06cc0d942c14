import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ed25519Signer } from '../../adapters/system/proof.ts';
import { openCheckpointKey } from '../../composition/checkpoint-key.ts';
import { readConfig } from '../../composition/config/config.ts';

const SEED = Buffer.alloc(32, 4);
const publicKey = Buffer.from(ed25519Signer(SEED).publicKey);
const noKms = { unwrap: () => Promise.reject(new Error('no KMS is asked')) };

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'knowledger-key-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const opened = async (
  env: { readonly [name: string]: string },
  embedded: boolean,
  kms: Parameters<typeof openCheckpointKey>[2] = noKms,
) => {
  const signer = await openCheckpointKey(
    readConfig({ KNOWLEDGER_DATA_DIR: dataDir, ...env }, false),
    embedded,
    kms,
  );
  return signer && Buffer.from(signer.publicKey);
};

describe('the key that signs checkpoints', () => {
  it('is the given one, in plain or wrapped by a KMS', async () => {
    const plain = { KNOWLEDGER_CHECKPOINT_KEY: SEED.toString('base64') };
    expect(await opened(plain, false)).toEqual(publicKey);
    const wrapped = { KNOWLEDGER_CHECKPOINT_KEY: `kms:${Buffer.alloc(60, 1).toString('base64')}` };
    expect(await opened(wrapped, true, { unwrap: async () => SEED })).toEqual(publicKey);
    await expect(opened(wrapped, true)).rejects.toThrow('no KMS is asked');
  });

  it('is made in the data directory beside the embedded Postgres, and stays', async () => {
    const made = await opened({}, true);
    expect(await opened({}, true)).toEqual(made);
    const path = join(dataDir, 'checkpoint.key');
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(Buffer.from(ed25519Signer(Buffer.from(await readFile(path, 'utf8'), 'base64')).publicKey)).toEqual(
      made,
    );
  });

  it('is none beside another Postgres, unless there is a file', async () => {
    expect(await opened({}, false)).toBeNull();
    await writeFile(join(dataDir, 'checkpoint.key'), SEED.toString('base64'));
    expect(await opened({}, false)).toEqual(publicKey);
  });
});
