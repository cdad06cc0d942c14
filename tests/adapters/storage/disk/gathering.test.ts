import { describe, expect, it } from 'vitest';
import { coalescingWriter } from '../../../../adapters/storage/disk/writing.ts';

/** A file whose writes end when the test says so, and take so many bytes at most. */
const slowFile = (most = Number.POSITIVE_INFINITY) => {
  const written: Buffer[] = [];
  const calls: PromiseWithResolvers<void>[] = [];
  const called = async (): Promise<void> => {
    const call = Promise.withResolvers<void>();
    calls.push(call);
    await call.promise;
  };
  const handle = {
    writev: async (parts: readonly Uint8Array[]) => {
      await called();
      const taken = Buffer.concat(parts).subarray(0, most);
      written.push(taken);
      return { bytesWritten: taken.byteLength, buffers: parts };
    },
    writeFile: async (bytes: Uint8Array) => {
      await called();
      written.push(Buffer.from(bytes));
    },
  };
  const writer = coalescingWriter(handle as unknown as Parameters<typeof coalescingWriter>[0]);
  return { writer, calls, text: () => Buffer.concat(written).toString() };
};

describe('gathering what is written to a file', () => {
  it('writes the rest of what the system took in part', async () => {
    const { writer, calls, text } = slowFile(3);
    await writer.add(Buffer.from('whole'));
    const end = writer.end();
    calls[0]!.resolve();
    await expect.poll(() => calls.length).toBe(2);
    calls[1]!.resolve();
    await end;
    expect(text()).toBe('whole');
  });

  it('tells at the end what a write has failed with', async () => {
    const { writer, calls } = slowFile();
    await writer.add(Buffer.from('x'));
    calls[0]!.reject(new Error('the disk is full'));
    await expect(writer.end()).rejects.toThrow('the disk is full');
  });
});
