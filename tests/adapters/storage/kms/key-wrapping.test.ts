import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKmsKeyWrapping } from '../../../../adapters/storage/kms/key-wrapping.ts';
import {
  KMS_ACCESS,
  KMS_KEY,
  type KmsServer,
  openKmsServer,
  refuseKms,
} from '../../../support/kms-server.ts';

let kms: KmsServer;
const wrappingAt = (endpoint: string) =>
  createKmsKeyWrapping({ endpoint, ...KMS_ACCESS, attempts: 2, waitMs: 5_000 });
beforeAll(async () => {
  kms = await openKmsServer();
});
afterEach(() => {
  kms.hook = () => false;
  kms.asked.length = 0;
});
afterAll(() => kms?.close());

const refusal = (work: Promise<unknown>): Promise<{ readonly name: string; readonly message: string }> =>
  work.then(
    () => ({ name: 'none', message: '' }),
    (error: Error) => error,
  );

describe('a key that a KMS has wrapped', () => {
  it('is unwrapped to the same 32 bytes each time, and every one is another', async () => {
    const wrapping = wrappingAt(kms.endpoint);
    const [one, other] = [await wrapping.generate(KMS_KEY), await wrapping.generate(KMS_KEY)];
    const bytes = await wrapping.unwrap(one);
    expect(bytes).toHaveLength(32);
    expect(Buffer.from(await wrapping.unwrap(one))).toEqual(Buffer.from(bytes));
    expect(Buffer.from(await wrapping.unwrap(other))).not.toEqual(Buffer.from(bytes));
    expect(Buffer.from(one).includes(Buffer.from(bytes))).toBe(false);
  });

  it('is asked for again where the KMS is too busy, and not where it says no', async () => {
    const wrapping = wrappingAt(kms.endpoint);
    const wrapped = await wrapping.generate(KMS_KEY);
    kms.asked.length = 0;
    kms.hook = (response) => {
      if (kms.asked.length > 1) return false;
      refuseKms(response, 'ThrottlingException');
      return true;
    };
    expect(await wrapping.unwrap(wrapped)).toHaveLength(32);
    expect(kms.asked).toEqual(['Decrypt', 'Decrypt']);
    kms.asked.length = 0;
    kms.hook = (response) => {
      refuseKms(response, 'AccessDeniedException');
      return true;
    };
    expect((await refusal(wrapping.unwrap(wrapped))).message).toContain('grant kms:Decrypt');
    expect(kms.asked).toEqual(['Decrypt']);
  });

  it.each([
    ['ThrottlingException', 400, 'too busy'],
    ['DisabledException', 400, 'enable it'],
    ['KMSInvalidStateException', 400, 'cancel its deletion'],
    ['UnrecognizedClientException', 400, 'AWS_ACCESS_KEY_ID'],
    ['KMSInternalException', 500, 'it responded 500 (KMSInternalException)'],
  ])(
    'is not had where the KMS answers %s, with what to do and no word of it',
    async (name, status, message) => {
      kms.hook = (response) => {
        refuseKms(response, name, status);
        return true;
      };
      const refused = await refusal(wrappingAt(kms.endpoint).unwrap(Buffer.from('wrapped')));
      expect(refused).toMatchObject({ name: 'KeyWrappingFailed' });
      expect(refused.message).toContain(message);
      expect(refused.message).not.toContain('quote');
    },
  );

  it('is not had from bytes that this KMS has not wrapped for this service, nor of a key that is not there', async () => {
    const wrapping = wrappingAt(kms.endpoint);
    const wrapped = await wrapping.generate(KMS_KEY);
    wrapped[wrapped.length - 1]! ^= 1;
    expect((await refusal(wrapping.unwrap(wrapped))).message).toContain('npm run make-master-key');
    expect((await refusal(wrapping.generate('alias/other'))).message).toContain('there is no such key');
  });

  it('is not had from a KMS that is away', async () => {
    const { endpoint, close } = await openKmsServer();
    await close();
    const refused = await refusal(wrappingAt(endpoint).unwrap(Buffer.from('wrapped')));
    expect(refused.message).toMatch(/cannot be reached \(ECONNREFUSED\).*AWS_ENDPOINT_URL_KMS/);
  });
});
