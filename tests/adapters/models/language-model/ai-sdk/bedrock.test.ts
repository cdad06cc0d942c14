import { SignatureV4 } from '@smithy/signature-v4';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AwsCredentials } from '../../../../../adapters/models/language-model/ai-sdk/providers.ts';
import { bedrockInterface as wire, frame } from '../../../../support/model-interfaces/bedrock.ts';
import { sends } from '../../../../support/model-interfaces/interface.ts';
import type { AskedCompletion } from '../../../../support/model-provider.ts';
import { textOf } from '../../../contracts/language-model.ts';
import { open } from '../open-model.ts';

const SCHEMA = { type: 'object', properties: { answer: { type: 'string' } } };

describe('Bedrock', () => {
  it.each([
    ['modelStreamErrorException', 'ask again'],
    ['modelTimeoutException', 'an exception that the SDK does not know'],
  ])('is asked again after %s: %s', async (type, message) => {
    const { provider, ask } = await open(wire);
    provider.next.push(sends(wire, [...wire.begins, frame('exception', type, { message })]));
    expect(textOf(await ask())).toBe('An answer from the passages [1].');
    expect(provider.asked).toHaveLength(2);
  });

  it('is not asked again for what it does not accept, though it says so in its stream', async () => {
    const { provider, fail } = await open(wire);
    provider.otherwise = sends(wire, [frame('exception', 'validationException', { message: 'too long' })]);
    expect((await fail()).error).toMatchObject({ status: 400, retryable: false, detail: 'too long' });
    expect(provider.asked).toHaveLength(1);
  });

  it('is not taken for silent while the SDK holds back the pieces of an answer by a schema', async () => {
    const { provider, ask } = await open(wire, { limits: { firstTokenMs: 400, nextTokenMs: 400 } });
    const json = `{"answer": "${'a very long word '.repeat(6)}"}`;
    provider.next.push((asked, response) => {
      response.writeHead(200, { 'content-type': wire.contentType });
      const parts = [...wire.inSchema!(json, asked)!];
      const timer = setInterval(() => {
        response.write(parts.shift()!);
        if (parts.length > 0) return;
        clearInterval(timer);
        response.end();
      }, 25);
    });
    const began = performance.now();
    expect(textOf(await ask({ responseSchema: SCHEMA }))).toBe(json);
    expect(performance.now() - began).toBeGreaterThan(500);
  });

  it('takes a key in place of a signature', async () => {
    const asked = await askedWith({ apiKey: 'a-bedrock-key' });
    expect(asked.headers.authorization).toBe('Bearer a-bedrock-key');
  });

  it('gets requests whose signature AWS would make itself', async () => {
    const credentials = { ...SIGNING, sessionToken: 'a-token' };
    const asked = await askedWith(credentials);
    expect(asked.headers['x-amz-security-token']).toBe('a-token');
    expect(asked.headers.authorization).toBe(await signatureOf(asked, credentials));
  });
});

const SIGNING = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: wire.secret };

const askedWith = async (
  credentials: { readonly apiKey: string } | AwsCredentials,
): Promise<AskedCompletion> => {
  const { provider } = await open(wire);
  provider.otherwise = (_asked, response) => void response.writeHead(400).end('{}');
  const place = { provider: 'bedrock' as const, region: 'eu-central-1', baseUrl: provider.baseUrl };
  const { fail } = await open(wire, { settings: { ...place, credentials } });
  expect((await fail()).error).toMatchObject({ status: 400 });
  return provider.asked[0]!;
};

/** The same request, signed by the signer of AWS's own SDK. */
const signatureOf = async (
  { path, headers, body }: AskedCompletion,
  credentials: AwsCredentials,
): Promise<string | undefined> => {
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')![1]!.split(';');
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date']))!;
  const [, year, month, day, hour, minute, second] = at;
  const signer = new SignatureV4({
    credentials,
    region: 'eu-central-1',
    service: 'bedrock',
    sha256: Sha256,
    applyChecksum: false,
  });
  const request = {
    method: 'POST',
    protocol: 'http:',
    hostname: String(headers.host),
    path,
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
    body: JSON.stringify(body),
  };
  const signingDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const answer = await signer.sign(request, { signingDate, signableHeaders: new Set(signed) });
  return answer.headers['authorization'];
};

class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Buffer =>
  typeof data === 'string'
    ? Buffer.from(data)
    : ArrayBuffer.isView(data)
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : Buffer.from(data);
