import { detect } from 'chardet';
import type { DetectCharset } from '../../application/ports/text-decoding.ts';

/** Guesses by letter frequencies; some 50 ms for the largest sample that `decodeText` passes. */
export const detectCharset: DetectCharset = (sample) => detect(sample);
