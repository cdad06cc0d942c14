/** Object id of `int` in every Postgres. */
const INT = 23;
/** Dimensions, a flag for nulls, the element's type, and for the one dimension its length and lower bound. */
const HEADER = 20;

/**
 * An array in Postgres' binary form, to be sent as a parameter of type `int[]`: node-postgres sends a Buffer as it is.
 * Thousands of numbers would otherwise be printed here and parsed there.
 */
export const intArray = (values: Int32Array): Buffer => {
  const array = Buffer.allocUnsafe(HEADER + values.length * 8);
  for (const [i, field] of [1, 0, INT, values.length, 1].entries()) array.writeInt32BE(field, i * 4);
  for (const [i, value] of values.entries()) {
    array.writeInt32BE(4, HEADER + i * 8);
    array.writeInt32BE(value, HEADER + i * 8 + 4);
  }
  return array;
};
