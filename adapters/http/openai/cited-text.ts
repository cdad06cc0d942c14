import { createMarkLinks } from '../../../domain/answer/citation-marks.ts';

/** A page that an answer cites: `mark` is its number in the text, `W1` for a page of the web. */
export interface CitedPage {
  readonly mark: string;
  readonly title: string;
  readonly url: string;
}

/** An annotation of the OpenAI API. `start_index` and `end_index` are UTF-16 code units of the text. */
export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly start_index: number;
    readonly end_index: number;
    readonly title: string;
    readonly url: string;
  };
}

/** The text of an answer that comes in pieces, for readers that show Markdown and nothing else. */
export interface CitedText {
  /** @param cited pages cited so far, those of this piece included */
  readonly push: (piece: string, cited: readonly CitedPage[]) => string;
  /** The last piece: the rest of the text, and the list of sources. */
  readonly end: () => string;
  /** Of all that `push` and `end` answered, in its order. */
  readonly annotations: () => readonly UrlCitation[];
}

/** @param linked whether marks are links and a list of sources follows; without, the text stays as it is */
export const createCitedText = (linked: boolean): CitedText => {
  const pages = new Map<string, CitedPage>();
  const rewriter = createMarkLinks((mark) => {
    const page = pages.get(mark.slice(1, -1));
    return page === undefined || !linked ? mark : linkOf(page);
  });
  let text = '';
  const say = (piece: string): string => {
    text += piece;
    return piece;
  };
  return {
    push: (piece, cited) => {
      for (const page of cited) pages.set(page.mark, page);
      return say(rewriter.push(piece));
    },
    end: () => {
      // Without backslashes: chat programs take \[ for the beginning of a formula.
      const list = [...pages.values()].map(({ mark, ...page }) => `\n- [${mark}] ${titled(page)}`);
      return say(rewriter.flush() + (linked && list.length > 0 ? `${HEADING}${list.join('')}` : ''));
    },
    annotations: () =>
      [...pages.values()]
        .flatMap((page) => placesOf(linked ? linkOf(page) : `[${page.mark}]`, page, text))
        .toSorted((a, b) => a.url_citation.start_index - b.url_citation.start_index),
  };
};

const HEADING = '\n\n**Sources**\n';

/** An earlier answer as the model wrote it, without what `createCitedText` added. */
export const withoutLinks = (text: string): string =>
  text
    .replace(/\n\n\*\*Sources\*\*\n(?:\n- \\?\[W?\d{1,4}\\?\] [^\n]*)+\s*$/, '')
    .replaceAll(/ ?\[\[W?\d{1,4}\]\]\([^()\s]*\)/g, '');

const linkOf = ({ mark, url }: CitedPage): string => `[[${mark}]](${addressOf(url)})`;
const titled = ({ title, url }: Omit<CitedPage, 'mark'>): string =>
  `[${title.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]*_`<]/g, String.raw`\$&`) || url}](${addressOf(url)})`;

/** An address within the brackets of a link (CommonMark, section 6.3). */
const addressOf = (url: string): string =>
  url.replaceAll(/[()<>\\\s]/g, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );

const placesOf = (said: string, { title, url }: CitedPage, text: string): readonly UrlCitation[] => {
  const places: UrlCitation[] = [];
  for (let at = text.indexOf(said); at !== -1; at = text.indexOf(said, at + said.length)) {
    const place = { start_index: at, end_index: at + said.length };
    places.push({ type: 'url_citation', url_citation: { ...place, title, url } });
  }
  return places;
};
