import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';

const SCRIPT = fileURLToPath(new URL('../../support/eventstoredb/serve.ts', import.meta.url));

describe('the stand-in as a process of its own', () => {
  it('tells its address, keeps events for all its clients, and ends when it is told to', async () => {
    const child = spawn(process.execPath, [SCRIPT, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [connectionString] = (await once(createInterface(child.stdout), 'line')) as [string];
    const [one, two] = [createEventStoreDb({ connectionString }), createEventStoreDb({ connectionString })];
    const stream = newStream();
    await one.store.append(stream, 'none', [newEvent('A')]);
    expect(await two.store.readStream(stream)).toMatchObject([{ type: 'A' }]);
    await Promise.all([one.close(), two.close()]);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
