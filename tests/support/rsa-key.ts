import { generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A key of this process alone: PKCS #8 as cloud hosts give it, PKCS #1 as code hosts do. */
export const RSA = {
  pkcs8: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  pkcs1: privateKey.export({ type: 'pkcs1', format: 'pem' }) as string,
  public: publicKey,
};
