import { type RawBuilder, sql } from 'kysely';

/** An aggregate of whole numbers as bytes, in no order: a hundred thousand of them are not printed and parsed. */
export const packedNumbers = (number: RawBuilder<number>, where = sql<boolean>`true`): RawBuilder<Buffer> =>
  sql<Buffer>`coalesce(string_agg(int8send(${number}), '') filter (where ${where}), '')`;

/** The same, here: whole numbers from 0 to 2^53. */
export const unpackedNumbers = (packed: Buffer): Float64Array => {
  const numbers = new Float64Array(packed.length / 8);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = packed.readUInt32BE(i * 8) * 2 ** 32 + packed.readUInt32BE(i * 8 + 4);
  }
  return numbers;
};
