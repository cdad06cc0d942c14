import { type RawBuilder, sql } from 'kysely';

/**
 * What ranking needs to know of one term in one content, packed into a positive `int`: how often it occurs in the
 * text (7 bits), the length of the text in terms (13), how often it occurs in the title (3), and the length of the
 * title (8). One array instead of four halves the time to write a segment. Greater values are cut: the weight of a
 * frequency is saturated long before 127, and no chunk comes near 8,191 terms.
 */
export const packStatistics = (
  frequency: number,
  length: number,
  titleFrequency: number,
  titleLength: number,
): number =>
  Math.min(frequency, 127) |
  (Math.min(length, 8191) << 7) |
  (Math.min(titleFrequency, 7) << 20) |
  (Math.min(titleLength, 255) << 23);

export const frequencyOf = (packed: number): number => packed & 127;
export const titleFrequencyOf = (packed: number): number => (packed >> 20) & 7;

/** The same of a packed column, as SQL expressions of type `int`. */
export const unpacked = (column: RawBuilder<number>) => ({
  frequency: sql`(${column} & 127)`,
  length: sql`((${column} >> 7) & 8191)`,
  titleFrequency: sql`((${column} >> 20) & 7)`,
  titleLength: sql`(${column} >> 23)`,
});
