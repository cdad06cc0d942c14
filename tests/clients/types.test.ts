import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Document, typesOf } from '../../clients/typescript/types-of.ts';
import { runApp, stopServersAfterAll } from '../adapters/http/running-app.ts';

stopServersAfterAll();
const KEPT = fileURLToPath(new URL('../../clients/typescript/src/types.ts', import.meta.url));

it('the client has the types of the OpenAPI document: `npm run client:types` makes them anew', async () => {
  const { document } = await runApp();
  await expect(typesOf(document as unknown as Document)).toMatchFileSnapshot(KEPT);
});
