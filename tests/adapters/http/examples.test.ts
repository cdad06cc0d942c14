import { expect, it } from 'vitest';
import { exampleRequests } from '../../support/openapi-examples.ts';
import { KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

it('every operation does what it is for when its examples are sent as they stand', async () => {
  const { url, document } = await runApp();
  const requests = exampleRequests(document);
  expect(requests.length).toBeGreaterThan(100);
  const refused: unknown[] = [];
  for (const { operation, method, path, bodies } of requests) {
    for (const sent of bodies.length === 0 ? [undefined] : bodies) {
      const isForm = sent?.body instanceof FormData;
      const headers = {
        'x-api-key': KEY,
        ...(sent !== undefined && !isForm && { 'content-type': sent.type }),
      };
      const response = await fetch(url + path, { method, headers, ...(sent && { body: sent.body }) });
      if (!response.ok) refused.push([operation, response.status, await response.text()]);
      else await response.arrayBuffer();
    }
  }
  expect(refused).toEqual([]);
});
