import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MB = 1024 * 1024;

describe('bytes that pass through', () => {
  it('leave no memory behind once nobody holds them', async () => {
    // In a heap of its own: what other tests hold decides when buffers grow old.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    expect(Number(stdout)).toBeLessThan(5 * MB);
  });
});

const MODULE = new URL('../../../adapters/http/multipart/form-body.ts', import.meta.url);
/** Tells how much of 20 MB is left. Memory is given back by another thread, so it is looked at a few times. */
const PROGRAM = `
  import { setImmediate as turn } from 'node:timers/promises';
  const { collectYoung } = await import(${JSON.stringify(MODULE.href)});
  const used = () => process.memoryUsage().arrayBuffers;
  const before = used();
  for (let i = 0; i < 20; i += 1) Buffer.allocUnsafeSlow(${MB});
  for (let i = 0; i < 100 && used() - before > ${MB}; i += 1) {
    if (i === 0) collectYoung();
    await turn();
  }
  console.log(used() - before);
`;
