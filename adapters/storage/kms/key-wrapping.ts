import type { KMS, KMSClientConfig } from '@aws-sdk/client-kms';
import { type KeyWrapping, KeyWrappingFailed } from '../../../application/ports/vault.ts';

// https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html#API_Decrypt_Errors
const REMEDIES: { readonly [name: string]: string } = {
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  UnrecognizedClientException: 'the access key is unknown: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  InvalidSignatureException: 'the secret access key or the clock of this machine is wrong',
  ExpiredTokenException: 'the credentials have expired',
  AccessDeniedException:
    'access is denied: grant kms:Decrypt to the service, and kms:GenerateDataKeyWithoutPlaintext to the creator of keys',
  NotFoundException: 'there is no such key in this region (AWS_REGION)',
  DisabledException: 'its key is disabled: enable it',
  KMSInvalidStateException: 'the state of its key does not allow its use: cancel its deletion, or enable it',
  InvalidCiphertextException:
    'a KMS has not wrapped it for this service: use the complete value that npm run make-master-key printed',
  IncorrectKeyException: 'another key has wrapped it',
  InvalidKeyUsageException: 'its key is not an encryption key (ENCRYPT_DECRYPT)',
  ThrottlingException: 'it is too busy: start again later',
  LimitExceededException: 'a quota is exhausted',
};

/** Translates an error of the SDK. Its own message is not repeated: it may contain what was sent. */
const failureOf = (error: unknown, what: string): KeyWrappingFailed => {
  const sdkError = (error ?? {}) as {
    readonly name?: unknown;
    readonly code?: unknown;
    readonly message?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const failed = (why: string): KeyWrappingFailed =>
    new KeyWrappingFailed(`the KMS did not ${what}: ${why}`, { cause: error });
  const known = typeof sdkError.name === 'string' ? REMEDIES[sdkError.name] : undefined;
  if (known !== undefined) return failed(known);
  if (sdkError.message === 'Region is missing') return failed('set AWS_REGION');
  const status = sdkError.$metadata?.httpStatusCode;
  const name = typeof sdkError.code === 'string' ? sdkError.code : String(sdkError.name);
  return status === undefined
    ? failed(`it cannot be reached (${name}): check AWS_ENDPOINT_URL_KMS, AWS_REGION and the network`)
    : failed(`it responded ${status} (${name})`);
};

export interface KmsOptions {
  /**
   * Default: as the AWS SDK finds it (AWS_ENDPOINT_URL_KMS, profiles), else that of AWS. The same holds for
   * region and credentials.
   */
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Maximum number of requests per call, with growing delays. Default: 4. */
  readonly attempts?: number;
  /** Timeout of all attempts together. Default: 20 s. */
  readonly waitMs?: number;
}

/** Length of a master key. */
const KEY_BYTES = 32;
/** The tested version; the same as in `package.json`. */
const PACKAGE = '@aws-sdk/client-kms@3.1164.0';
/** Bound to every wrapped key, and visible in the operator's audit log. Not secret. */
const CONTEXT = { application: 'knowledger', purpose: 'master key' };
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** AWS KMS or a compatible service. The package is loaded at the first call, and is needed only then. */
export const createKmsKeyWrapping = (options: KmsOptions = {}): KeyWrapping => ({
  generate: (keyId) =>
    ask(options, `make a key by ${keyId}`, async (kms, abortSignal) => {
      const input = { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: CONTEXT } as const;
      const { CiphertextBlob: wrapped } = await kms.generateDataKeyWithoutPlaintext(input, { abortSignal });
      if (wrapped === undefined) throw new KeyWrappingFailed('the KMS responded without a key');
      return wrapped;
    }),
  unwrap: (wrapped) =>
    ask(options, 'unwrap the master key', async (kms, abortSignal) => {
      const input = { CiphertextBlob: wrapped, EncryptionContext: CONTEXT };
      const { Plaintext: bytes } = await kms.decrypt(input, { abortSignal });
      if (bytes?.byteLength === KEY_BYTES) return bytes;
      throw new KeyWrappingFailed(
        `the KMS unwrapped something that is not a master key of ${KEY_BYTES} bytes`,
      );
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
  return new (await loadSdk()).KMS(config);
};

const loadSdk = async () => {
  try {
    return await import('@aws-sdk/client-kms');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new KeyWrappingFailed(
      `a master key that is wrapped by a KMS needs a package that is not installed: npm install --omit=dev --save-prod ${PACKAGE}`,
    );
  }
};
