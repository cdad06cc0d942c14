/** A second of silence: a WAV file of 8,000 samples of one byte (RIFF, WAVE). */
const silence = (): Buffer => {
  const bytes = Buffer.alloc(8_044, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(8_036, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(8_000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(8_000, 40);
  return bytes;
};

export const RECORDING = silence();
