/** Object ids of `int` and `bigint` in every Postgres. */
const INT = 23;
const BIGINT = 20;

/**
 * Arrays in Postgres' binary form, to be sent as parameters of type `int[]` and `bigint[]`: node-postgres sends a
 * Buffer as it is. Hundreds of thousands of numbers would otherwise be printed here and parsed there.
 */
export const intArray = (values: Int32Array): Buffer => {
  const array = emptyArray(INT, values.length, 8);
  for (const [i, value] of values.entries()) {
    array.writeInt32BE(4, HEADER + i * 8);
    array.writeInt32BE(value, HEADER + i * 8 + 4);
  }
  return array;
};

/** @param values whole numbers from 0 to 2^53 */
export const bigintArray = (values: Float64Array): Buffer => {
  const array = emptyArray(BIGINT, values.length, 12);
  for (const [i, value] of values.entries()) {
    array.writeInt32BE(8, HEADER + i * 12);
    array.writeUInt32BE(Math.floor(value / 2 ** 32), HEADER + i * 12 + 4);
    array.writeUInt32BE(value % 2 ** 32, HEADER + i * 12 + 8);
  }
  return array;
};

/** Dimensions, a flag for nulls, the element's type, and for the one dimension its length and lower bound. */
const HEADER = 20;

const emptyArray = (type: number, length: number, elementBytes: number): Buffer => {
  const array = Buffer.allocUnsafe(HEADER + length * elementBytes);
  for (const [i, field] of [1, 0, type, length, 1].entries()) array.writeInt32BE(field, i * 4);
  return array;
};

/** The elements of a `bigint[]` without nulls, whole numbers from 0 to 2^53, less a number. */
export const bigintsOf = (array: Buffer, less = 0): Float64Array => {
  const values = new Float64Array(lengthOf(array));
  for (let i = 0, at = HEADER + 4; i < values.length; i++, at += 12) {
    values[i] = array.readUInt32BE(at) * 2 ** 32 + array.readUInt32BE(at + 4) - less;
  }
  return values;
};

/** The elements of an `int[]` without nulls. */
export const intsOf = (array: Buffer): Int32Array => {
  const values = new Int32Array(lengthOf(array));
  for (let i = 0, at = HEADER + 4; i < values.length; i++, at += 8) values[i] = array.readInt32BE(at);
  return values;
};

/** An empty array has no dimension. */
const lengthOf = (array: Buffer): number => (array.length < HEADER ? 0 : array.readInt32BE(12));
