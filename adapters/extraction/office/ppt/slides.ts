import { allRecords, RECORD, recordsIn, textOf, type PptRecord } from './records.ts';

interface SlideLine {
  readonly isTitle: boolean;
  readonly text: string;
}

export interface ListedSlide {
  readonly persistId: number;
  readonly slideId: number;
  /** Texts of the outline, which shapes of the slide refer to by number. */
  readonly texts: readonly SlideLine[];
}

/** Slides (0), masters (1) or notes (2) in their order, from the lists of the document ([MS-PPT] 2.4.14). */
export const listedSlides = (document: Buffer, instance: 0 | 1 | 2): readonly ListedSlide[] => {
  const list = [...recordsIn(document)].find(
    (record) => record.type === RECORD.slideList && record.instance === instance,
  );
  const slides: (ListedSlide & { readonly texts: SlideLine[] })[] = [];
  let isTitle = false;
  for (const record of list === undefined ? [] : recordsIn(list.body)) {
    const slide = slides.at(-1);
    if (record.type === RECORD.slidePersist && record.body.length >= 16) {
      slides.push({
        persistId: record.body.readUInt32LE(0),
        slideId: record.body.readUInt32LE(12),
        texts: [],
      });
    } else if (record.type === RECORD.textHeader) {
      isTitle = isTitleHeader(record);
      slide?.texts.push({ isTitle, text: '' });
    } else if (isText(record)) {
      slide?.texts.splice(-1, 1, { isTitle, text: textOf(record) });
    }
  }
  return slides;
};

/** Text of the shapes of a slide in their order, and its comments; the outline's where no shape refers to it. */
export const slideText = (slide: Buffer, outline: readonly SlideLine[]) => {
  const lines: SlideLine[] = [];
  const referred = new Set<number>();
  let isTitle = false;
  let inComment = false;
  let author = '';
  for (const record of allRecords(slide)) {
    if (record.isContainer) inComment = record.type === RECORD.comment;
    if (record.type === RECORD.textHeader) isTitle = isTitleHeader(record);
    else if (isText(record)) lines.push({ isTitle, text: textOf(record) });
    else if (record.type === RECORD.outlineText && record.body.length >= 4) {
      const index = record.body.readInt32LE(0);
      const line = outline[index];
      if (line !== undefined && !referred.has(index)) lines.push(line);
      referred.add(index);
    } else if (inComment && record.type === RECORD.cString && record.instance === 0) author = textOf(record);
    else if (inComment && record.type === RECORD.cString && record.instance === 1) {
      lines.push({ isTitle: false, text: `Comment by ${author}: ${textOf(record)}` });
    }
  }
  for (const [index, line] of outline.entries()) if (!referred.has(index)) lines.push(line);
  const shown = lines.filter(({ text }) => text !== '' && text !== '*');
  const title =
    shown
      .find((line) => line.isTitle)
      ?.text.replaceAll(/\s+/g, ' ')
      .slice(0, 300) ?? null;
  return { title, blocks: shown.map(({ text }) => text) };
};

/** Text of the shapes of a master that are no placeholders: every slide shows them. */
export const masterText = (master: Buffer): readonly string[] =>
  [...allRecords(master)]
    .filter(({ type }) => type === RECORD.shape)
    .map(({ body }) => [...allRecords(body)])
    .filter((records) => !records.some(({ type }) => type === RECORD.placeholder))
    .flatMap((records) => records.filter(isText).map(textOf))
    .filter((text) => text !== '' && text !== '*');

/** Which flag shows the date (0), the header (1) or the footer (2) that a presentation was given ([MS-PPT] 2.4.15.2). */
const SHOWN_BY = [0x04, 0x10, 0x20];

/** Dates, headers and footers that a document, a slide or its notes show. */
export const marginTexts = (holder: Buffer): readonly string[] =>
  [...recordsIn(holder)]
    .filter(({ type }) => type === RECORD.headersFooters)
    .flatMap(({ body }) => {
      const records = [...recordsIn(body)];
      const atom = records.find(({ type }) => type === RECORD.headersFootersAtom)?.body;
      const flags = atom !== undefined && atom.length >= 4 ? atom.readUInt16LE(2) : 0;
      return records
        .filter(({ type, instance }) => type === RECORD.cString && (flags & (SHOWN_BY[instance] ?? 0)) !== 0)
        .map(textOf);
    })
    .filter((text) => text !== '');

/** `Tx_TYPE_TITLE` and `Tx_TYPE_CENTERTITLE` ([MS-PPT] 2.13.33). */
const isTitleHeader = ({ body }: PptRecord): boolean =>
  body.length >= 4 && (body.readUInt32LE(0) === 0 || body.readUInt32LE(0) === 6);

const isText = ({ type }: PptRecord): boolean => type === RECORD.textChars || type === RECORD.textBytes;
