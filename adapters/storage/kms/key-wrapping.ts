import type { KMS, KMSClientConfig } from '@aws-sdk/client-kms';
import { type KeyWrapping, KeyWrappingFailed } from '../../../application/ports/vault.ts';

// https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html#API_Decrypt_Errors
const TO_DO: { readonly [name: string]: string } = {
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  UnrecognizedClientException: 'the access key is unknown: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  InvalidSignatureException: 'the secret access key is wrong, or the clock of this machine is',
  ExpiredTokenException: 'the credentials have expired',
  AccessDeniedException:
    'it is not allowed: grant kms:Decrypt to the service, and kms:GenerateDataKeyWithoutPlaintext to whoever makes keys',
  NotFoundException: 'there is no such key in this region (AWS_REGION)',
  DisabledException: 'its key is disabled: enable it',
  KMSInvalidStateException:
    'its key is in a state in which it cannot be used: cancel its deletion, or enable it',
  InvalidCiphertextException:
    'it is not one that a KMS has wrapped for this service: take the value that npm run make-master-key printed, whole',
  IncorrectKeyException: 'another key has wrapped it',
  InvalidKeyUsageException: 'its key is not one for encryption (ENCRYPT_DECRYPT)',
  ThrottlingException: 'it is too busy: start again in a moment',
  LimitExceededException: 'a quota is used up',
};

/** What an error of the SDK means. Its own message is left alone: it may repeat what was sent. */
const failureOf = (error: unknown, what: string): KeyWrappingFailed => {
  const told = (error ?? {}) as {
    readonly name?: unknown;
    readonly code?: unknown;
    readonly message?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const say = (why: string): KeyWrappingFailed =>
    new KeyWrappingFailed(`the KMS did not ${what}: ${why}`, { cause: error });
  const known = typeof told.name === 'string' ? TO_DO[told.name] : undefined;
  if (known !== undefined) return say(known);
  if (told.message === 'Region is missing') return say('set AWS_REGION');
  const status = told.$metadata?.httpStatusCode;
  const name = typeof told.code === 'string' ? told.code : String(told.name);
  return status === undefined
    ? say(`it cannot be reached (${name}): look at AWS_ENDPOINT_URL_KMS, AWS_REGION and the network`)
    : say(`it answered ${status} (${name})`);
};

export interface KmsOptions {
  /** Default: as the AWS SDK finds it (AWS_ENDPOINT_URL_KMS, profiles), else that of AWS. So are region and credentials. */
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Requests in all for one answer, with growing delays. Default: 4. */
  readonly attempts?: number;
  /** For all of them together. Default: 20 s. */
  readonly waitMs?: number;
}

/** Of a master key. */
const KEY_BYTES = 32;
/** The version that is tested; `package.json` has the same. */
const PACKAGE = '@aws-sdk/client-kms@3.1164.0';
/** Bound to every key that is wrapped, and told to the log of whoever runs the service. It is no secret. */
const CONTEXT = { application: 'knowledger', purpose: 'master key' };
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** AWS KMS, or what speaks its interface. The package is loaded at the first question, and needed then alone. */
export const createKmsKeyWrapping = (options: KmsOptions = {}): KeyWrapping => ({
  generate: (keyId) =>
    ask(options, `make a key by ${keyId}`, async (kms, abortSignal) => {
      const input = { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: CONTEXT } as const;
      const { CiphertextBlob: wrapped } = await kms.generateDataKeyWithoutPlaintext(input, { abortSignal });
      if (wrapped === undefined) throw new KeyWrappingFailed('the KMS answered without a key');
      return wrapped;
    }),
  unwrap: (wrapped) =>
    ask(options, 'unwrap the master key', async (kms, abortSignal) => {
      const input = { CiphertextBlob: wrapped, EncryptionContext: CONTEXT };
      const { Plaintext: bytes } = await kms.decrypt(input, { abortSignal });
      if (bytes?.byteLength === KEY_BYTES) return bytes;
      throw new KeyWrappingFailed(`what the KMS unwrapped is no master key, which has ${KEY_BYTES} bytes`);
    }),
});

const ask = async <Answer>(
  options: KmsOptions,
  what: string,
  call: (kms: KMS, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const kms = await connect(options);
  try {
    return await call(kms, AbortSignal.timeout(options.waitMs ?? 20_000));
  } catch (error) {
    throw error instanceof KeyWrappingFailed ? error : failureOf(error, what);
  } finally {
    kms.destroy();
  }
};

const connect = async ({ endpoint, region, credentials, attempts = 4 }: KmsOptions): Promise<KMS> => {
  const config: KMSClientConfig = {
    maxAttempts: attempts,
    retryMode: 'standard',
    logger: SILENT,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 10_000 },
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
  };
  return new (await loaded()).KMS(config);
};

const loaded = async () => {
  try {
    return await import('@aws-sdk/client-kms');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new KeyWrappingFailed(
      `a master key that a KMS has wrapped needs a package that is not installed: npm install --omit=dev --save-prod ${PACKAGE}`,
    );
  }
};
