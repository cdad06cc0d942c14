import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Hash, IdSource, ApiKeySource } from '../../application/ports/identity.ts';
import type { WebhookSecretSource } from '../../application/ports/webhooks.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const sha256: Hash = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

export const randomApiKeys: ApiKeySource = { newApiKey: () => `kn_${randomBytes(32).toString('base64url')}` };

export const randomWebhookSecrets: WebhookSecretSource = {
  newWebhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
};

/**
 * UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then a 12-bit counter in `rand_a` (method 1 of §6.2),
 * so that ids of the same millisecond are ordered. If the counter overflows, the time advances by one
 * millisecond.
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
        // Starts low to leave room; random so that two processes rarely share a prefix.
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

/** Random bytes that are requested at once for many ids: a system call per id takes most of an id's time. */
const RESERVE = 4_096;

/** Returns a source of random bytes that never returns the same memory twice. */
export const createRandomBytes = (): ((count: number) => Buffer) => {
  let [reserve, used] = [Buffer.alloc(0), 0];
  return (count) => {
    if (used + count > reserve.length) [reserve, used] = [randomBytes(RESERVE), 0];
    used += count;
    return reserve.subarray(used - count, used);
  };
};
