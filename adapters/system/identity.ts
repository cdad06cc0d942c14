import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Hash, IdSource, Secrets } from '../../application/ports/identity.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const sha256: Hash = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

export const randomSecrets: Secrets = { newApiKey: () => `kn_${randomBytes(32).toString('base64url')}` };

/**
 * UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then a counter of 12 bits in `rand_a` (method 1 of §6.2) so
 * that ids made within one millisecond are ordered too; when it runs over, the time is taken one millisecond ahead.
 */
export const createIdSource = (clock: Clock = systemClock): IdSource => {
  let time = 0;
  let counter = 0;
  const random = createRandomBytes();
  return {
    newId: () => {
      const now = clock.now();
      if (now > time) {
        time = now;
        // Starts low, so that there is room; random, so that two processes rarely share a prefix.
        counter = random(1).readUInt8() * 4;
      } else if (++counter > 0xfff) {
        time += 1;
        counter = 0;
      }
      const bytes = random(16);
      bytes.writeUIntBE(time, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
};

/** Bytes asked of the system for many ids at once: a call for each takes most of the time that an id takes. */
const RESERVE = 4_096;

/** Bytes that nobody else gets. */
export const createRandomBytes = (): ((count: number) => Buffer) => {
  let [reserve, used] = [Buffer.alloc(0), 0];
  return (count) => {
    if (used + count > reserve.length) [reserve, used] = [randomBytes(RESERVE), 0];
    used += count;
    return reserve.subarray(used - count, used);
  };
};
