import { createPrivateKey, sign } from 'node:crypto';
import type { TokenSigner } from '../../application/ports/secrets.ts';

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3). */
export const rs256: TokenSigner = {
  canSign: (privateKey) => {
    try {
      return createPrivateKey(privateKey).asymmetricKeyType === 'rsa';
    } catch {
      return false;
    }
  },
  sign: (claims, privateKey, keyId) => {
    const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
    const signed = `${part(header)}.${part(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  },
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
