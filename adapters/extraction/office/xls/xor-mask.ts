/** Fills up a password to the length of the mask ([MS-OFFCRYPTO] 2.3.7.2). */
const FILLER = Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex');
const MASK_BYTES = 16;

/**
 * The mask that records are obfuscated with, from the key of the password and the number that it is told by, which stand one
 * after the other. Null where the password is another one.
 */
export const xorMask = (header: Buffer, password: string): Buffer | null => {
  if (header.length < 4 || header.readUInt16LE(2) !== verifierOf(password)) return null;
  const key = header.subarray(0, 2);
  const filled = Buffer.concat([Buffer.from(password, 'latin1'), FILLER]).subarray(0, MASK_BYTES);
  return filled.map((byte, index) => turnedRight(byte ^ key[index % 2]!)) as Buffer;
};

/** [MS-OFFCRYPTO] 2.3.7.1, of its length and its letters from the last one on. */
const verifierOf = (password: string): number => {
  const letters = [password.length, ...Buffer.from(password, 'latin1')];
  const turned = letters.reduceRight(
    (verifier, letter) => (((verifier >>> 14) & 1) | ((verifier << 1) & 0x7fff)) ^ letter,
    0,
  );
  return turned ^ 0xce4b;
};

const turnedRight = (byte: number): number => ((byte >>> 1) | (byte << 7)) & 0xff;
