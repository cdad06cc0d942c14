import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

const BOUNDARY = 'bench-of-uploads';

export interface Form {
  readonly files: number;
  /** Of each. */
  readonly bytes: number;
}

/** Of the whole body. */
export const lengthOf = (form: Form): number => partsOf(form).reduce((sum, part) => sum + part.byteLength, 0);

const head = (about: string): string => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${about}\r\n\r\n`;

/** Random bytes, each file with other ones at its beginning: no two are equal, and none compresses. */
const partsOf = ({ files, bytes }: Form): readonly Uint8Array[] => {
  const body = randomBytes(bytes - 8);
  const parts: Uint8Array[] = [Buffer.from(`${head('name="name"')}Bench\r\n`)];
  for (let i = 0; i < files; i += 1) {
    parts.push(
      Buffer.from(`${head(`name="files"; filename="${i}.bin"`)}${String(i).padStart(8, '0')}`),
      body,
    );
    parts.push(Buffer.from(`\r\n${head('name="last_modified"')}1790000000000\r\n`));
  }
  return [...parts, Buffer.from(`--${BOUNDARY}--\r\n`)];
};

/** Sends a form as fast as it is taken; answers how long it took until the answer was there, in milliseconds. */
export const sendForm = async (
  url: string,
  form: Form,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly ms: number; readonly body: string }> => {
  const parts = partsOf(form);
  const answer = Promise.withResolvers<string>();
  const begun = performance.now();
  const sending = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  sending.on('error', answer.reject);
  sending.on('response', (response) => {
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('end', () => {
      const { statusCode = 0 } = response;
      if (statusCode < 300) answer.resolve(text);
      else answer.reject(new Error(`answered ${statusCode}: ${text}`));
    });
  });
  for (const part of parts) {
    if (!sending.write(part)) await new Promise<void>((resolve) => sending.once('drain', resolve));
  }
  sending.end();
  const body = await answer.promise;
  return { ms: performance.now() - begun, body };
};
