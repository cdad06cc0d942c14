import { paintImage, pdfFile } from '../pdf-files.ts';
import { printed } from './letters.ts';

/** A PDF of eleven pages without text, one more than are read; the first shows a line of print. ASCII throughout. */
export const longScan = (): Buffer => {
  const print = printed('WATER FALLS');
  const content = paintImage([print.width, 0, 0, print.height, 50, 500], print);
  return pdfFile({ pages: [{ content }, ...Array.from({ length: 10 }, () => ({ content: '' }))] });
};
