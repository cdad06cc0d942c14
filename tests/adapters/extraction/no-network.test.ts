import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createDocumentReader } from '../../../adapters/extraction/document-reader.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const module = new URL('fixtures/reaching-reader.ts', import.meta.url).href;
const documents = temporaryDocuments();
afterAll(() => documents.remove());

it('gives its processes no network, whatever Node runs them', { timeout: 120_000 }, async () => {
  let reached = 0;
  const server = createServer((_, response) => response.end())
    .on('connection', () => (reached += 1))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const extractor = createDocumentReader({ processes: 1, module });
  try {
    const outcome = await extractor.extract({ ...documents.document('x'), url });
    expect(outcome).toMatchObject({ kind: 'document', title: 'nothing was open' });
    expect(reached).toBe(0);
  } finally {
    await extractor.close();
    server.closeAllConnections();
    server.close();
  }
});
