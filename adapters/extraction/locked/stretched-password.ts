import { hash } from 'node:crypto';

/** Office asks for 100,000 at most by itself; a million takes about a second, and a file may ask for ten. */
export const MOST_SPINS = 1_000_000;

/** A digest of the salt and the password, digested anew behind a counter `spins` times ([MS-OFFCRYPTO] 2.3.4.11). */
export const stretched = (digest: string, salt: Buffer, password: string, spins: number): Buffer => {
  const first = hash(digest, Buffer.concat([salt, Buffer.from(password, 'utf16le')]), 'buffer');
  const counted = Buffer.concat([Buffer.alloc(4), first]);
  for (let spin = 0; spin < spins; spin += 1) {
    counted.writeUInt32LE(spin, 0);
    hash(digest, counted, 'buffer').copy(counted, 4);
  }
  return counted.subarray(4);
};
