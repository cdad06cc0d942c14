import { KeyWrappingFailed } from '../../../application/ports/vault.ts';

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
export const failureOf = (error: unknown, what: string): KeyWrappingFailed => {
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
