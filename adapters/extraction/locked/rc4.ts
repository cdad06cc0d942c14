/** A stream of RC4 under a key: turns bytes in place, each call going on where the last one ended. Its own inverse. */
export type Rc4 = (bytes: Uint8Array) => void;

/** The library of the platform no longer has this cipher; office files from before 2007 know no other. */
export const createRc4 = (key: Uint8Array): Rc4 => {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let [i, j] = [0, 0];
  for (let index = 0; index < 256; index += 1) {
    const value = state[index]!;
    j = (j + value + key[index % key.length]!) & 0xff;
    state[index] = state[j]!;
    state[j] = value;
  }
  j = 0;
  return (bytes) => {
    for (let index = 0; index < bytes.length; index += 1) {
      i = (i + 1) & 0xff;
      const value = state[i]!;
      j = (j + value) & 0xff;
      const other = state[j]!;
      state[i] = other;
      state[j] = value;
      bytes[index]! ^= state[(value + other) & 0xff]!;
    }
  };
};
