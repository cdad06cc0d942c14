import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface KmsServer {
  readonly endpoint: string;
  /** The operations that were asked for, in their order. */
  readonly asked: string[];
  /** Answers a request itself (true), or leaves it to the server. */
  hook: (response: ServerResponse, operation: string) => boolean;
  readonly close: () => Promise<void>;
}

/** The one key that the server has. */
export const KMS_KEY = 'alias/knowledger';
/** Of what every request carries; signatures are not verified. */
export const KMS_ACCESS = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 's' },
} as const;

interface Asked {
  readonly KeyId?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

/**
 * AWS KMS as its API reference has it: JSON 1.1, one symmetric key, whose ciphertexts open in their own encryption
 * context alone. Errors have the names of that reference.
 */
export const openKmsServer = async (): Promise<KmsServer> => {
  const key = randomBytes(32);
  const wrap = (bytes: Buffer, context: string): Buffer => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  };
  const unwrap = (blob: Buffer, context: string): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(context)).setAuthTag(blob.subarray(12, 28));
    return Buffer.concat([decipher.update(blob.subarray(28)), decipher.final()]);
  };
  const answer = (
    operation: string,
    { KeyId, CiphertextBlob = '', EncryptionContext = {} }: Asked,
  ): object => {
    const context = JSON.stringify(
      Object.entries(EncryptionContext).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
    if (operation === 'GenerateDataKeyWithoutPlaintext' && KeyId === KMS_KEY)
      return { KeyId, CiphertextBlob: wrap(randomBytes(32), context).toString('base64') };
    if (operation !== 'Decrypt') throw new Error('NotFoundException');
    try {
      const bytes = unwrap(Buffer.from(CiphertextBlob, 'base64'), context);
      return { KeyId: KMS_KEY, Plaintext: bytes.toString('base64') };
    } catch {
      throw new Error('InvalidCiphertextException');
    }
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1)!;
    const body = JSON.parse(await text(request)) as Asked;
    opened.asked.push(operation);
    if (opened.hook(response, operation)) return;
    try {
      send(response, 200, answer(operation, body));
    } catch (error) {
      refuseKms(response, (error as Error).message);
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const opened: KmsServer = {
    endpoint: `http://127.0.0.1:${port}`,
    asked: [],
    hook: () => false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return opened;
};

export const refuseKms = (response: ServerResponse, name: string, status = 400): void =>
  send(response, status, {
    __type: name,
    message: 'what the service says, which may quote what it was sent',
  });

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
};
