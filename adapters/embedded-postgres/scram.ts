/**
 * Stretching is for passwords that can be guessed, and both ends of every connection pay for it. These are 24 random
 * bytes, or made from them.
 */
export const ITERATIONS = 1;
