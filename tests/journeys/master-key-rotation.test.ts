import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKmsKeyWrapping } from '../../adapters/storage/kms/key-wrapping.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { KMS_ACCESS, KMS_KEY, openKmsServer, refuseKms } from '../support/kms-server.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let conversation: string;
let firstKey: string;
const given = randomBytes(32).toString('base64');

const keyFile = (): Promise<string> => readFile(join(service.dataDir, 'master.key'), 'utf8');
const question = async (): Promise<unknown> => {
  const body = await service.get('/conversations/{id}', { path: { id: conversation } });
  return body.messages?.[0]?.content;
};
const restarted = async (env: { readonly [name: string]: string }): Promise<void> => {
  await service.end('SIGTERM');
  service = await startService(env, service);
};

beforeAll(async () => {
  service = await startService();
  const messages = [{ role: 'user', content: 'What is kept here?' }] as const;
  conversation = (await service.post('/completions', { body: { messages } })).conversation_id;
  firstKey = await keyFile();
}, 120_000);
afterAll(() => service.dispose());

describe('npm run rotate-master-key', { timeout: 180_000 }, () => {
  it('asks for the service to be stopped where the key is in the data directory, and changes nothing', async () => {
    const { code, output } = await service.command('rotate-master-key');
    expect([code, output]).toEqual([2, expect.stringContaining('a service is running: stop it first')]);
    expect(await keyFile()).toBe(firstKey);
  });

  it('puts another key in its place, by which everything is read', async () => {
    await service.end('SIGTERM');
    const { code, output } = await service.command('rotate-master-key');
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('1 data keys were wrapped by a new master key'),
    ]);
    expect(await keyFile()).not.toBe(firstKey);
    expect(output).not.toContain((await keyFile()).trim());
    service = await service.again();
    expect(await question()).toBe('What is kept here?');
    expect((await readdir(service.dataDir)).filter((name) => name.startsWith('master'))).toEqual([
      'master.key',
    ]);
  });

  it('runs beside a service that is given both keys, after which the new one is enough', async () => {
    const KNOWLEDGER_MASTER_KEY_PREVIOUS = (await keyFile()).trim();
    await restarted({ KNOWLEDGER_MASTER_KEY: given, KNOWLEDGER_MASTER_KEY_PREVIOUS });
    expect(await question()).toBe('What is kept here?');
    const { code, output } = await service.command('rotate-master-key');
    expect([code, output]).toEqual([0, expect.stringContaining('none is left under another')]);
    expect(output).not.toContain(given);
    await restarted({ KNOWLEDGER_MASTER_KEY: given });
    expect(await question()).toBe('What is kept here?');
  });

  it('leaves the old key refused, with what to do', async () => {
    await service.end('SIGTERM');
    await expect(startService({}, service)).rejects.toThrow('is not the one that this database was');
    service = await startService({ KNOWLEDGER_MASTER_KEY: given }, service);
  });

  it('moves all keys under one that a KMS has wrapped, without which no service starts any more', async () => {
    const kms = await openKmsServer();
    onTestFinished(kms.close);
    const access = {
      AWS_ENDPOINT_URL_KMS: kms.endpoint,
      AWS_REGION: KMS_ACCESS.region,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 's',
    };
    const kept = await createKmsKeyWrapping({ endpoint: kms.endpoint, ...KMS_ACCESS }).generate(KMS_KEY);
    const KNOWLEDGER_MASTER_KEY = `kms:${Buffer.from(kept).toString('base64')}`;
    await restarted({ ...access, KNOWLEDGER_MASTER_KEY, KNOWLEDGER_MASTER_KEY_PREVIOUS: given });
    const { code, output } = await service.command('rotate-master-key');
    expect([code, output]).toEqual([0, expect.stringContaining('none is left under another')]);
    expect(await question()).toBe('What is kept here?');
    const made = await service.command('make-master-key', KMS_KEY);
    expect([made.code, made.output]).toEqual([
      0,
      expect.stringMatching(/^KNOWLEDGER_MASTER_KEY=kms:[\w+/=]{80,}$/m),
    ]);
    await service.end('SIGTERM');
    kms.hook = (response) => {
      refuseKms(response, 'DisabledException');
      return true;
    };
    const start = startService({ ...access, KNOWLEDGER_MASTER_KEY }, service);
    await expect(start).rejects.toThrow('the KMS did not unwrap the master key: its key is disabled');
  });
});
