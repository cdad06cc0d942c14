import type { PageReader } from '../../application/ports/page-reader.ts';
import { decodeText } from '../../application/text-decoding.ts';
import { detectCharset } from './charset.ts';
import { readHtmlLinks } from './html-links.ts';
import { productToken } from './robots-directives.ts';

/** @param userAgent the one that the pages were fetched with */
export const createPageReader = (userAgent: string): PageReader => {
  const robot = productToken(userAgent);
  return {
    readPage: ({ body, charset, finalUrl }) => {
      const { text, encoding } = decodeText(body, { contentTypeCharset: charset, html: true }, detectCharset);
      return { ...readHtmlLinks(text, finalUrl, robot), encoding };
    },
  };
};
