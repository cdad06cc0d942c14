import { describe, expect, it } from 'vitest';
import { collectYoung, createYoungCollector } from '../../../adapters/http/multipart/young-buffers.ts';

const MB = 1024 * 1024;

describe('bytes that pass through', () => {
  it('have their memory taken back after every 16 MB, counted over all parts', () => {
    let collected = 0;
    const passed = createYoungCollector(() => (collected += 1));
    const after = [15, 1, 16, 15, 2, 40, 1].map((megabytes) => {
      passed(megabytes * MB);
      return collected;
    });
    expect(after).toStrictEqual([0, 1, 2, 2, 3, 4, 4]);
  });

  it('leave no memory behind once nobody holds them', () => {
    const passing = (): number => {
      const parts = Array.from({ length: 20 }, () => Buffer.allocUnsafeSlow(MB));
      return parts.reduce((sum, { length }) => sum + length, 0);
    };
    collectYoung();
    const before = process.memoryUsage().arrayBuffers;
    expect(passing()).toBe(20 * MB);
    collectYoung();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * MB);
  });
});
