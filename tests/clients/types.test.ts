import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pythonOf, syncOf } from '../../clients/python/generate.ts';
import { typesOf } from '../../clients/typescript/types-of.ts';
import { runApp, stopServersAfterAll } from '../adapters/http/running-app.ts';

stopServersAfterAll();
const inClients = (path: string): string => fileURLToPath(new URL(`../../clients/${path}`, import.meta.url));
const inPython = (path: string): string => inClients(`python/src/knowledger/${path}`);

it('the client for TypeScript has the types of the OpenAPI document: `npm run client:types` makes them anew', async () => {
  const { document } = await runApp();
  await expect(typesOf(document as never)).toMatchFileSnapshot(inClients('typescript/src/types.ts'));
});

describe('the client for Python', () => {
  it('has the types and the operations of the OpenAPI document: `npm run client:types` makes them anew', async () => {
    const { document } = await runApp();
    const { types, operations } = pythonOf(document as never);
    await expect(types).toMatchFileSnapshot(inPython('types.py'));
    await expect(operations).toMatchFileSnapshot(inPython('_async/operations.py'));
    await expect(syncOf(operations, 'operations.py')).toMatchFileSnapshot(inPython('_sync/operations.py'));
  });

  it.each(['transport.py', 'client.py'])('says the same in %s with and without async', async (name) => {
    const text = readFileSync(inPython(`_async/${name}`), 'utf8');
    await expect(syncOf(text, name)).toMatchFileSnapshot(inPython(`_sync/${name}`));
  });
});
