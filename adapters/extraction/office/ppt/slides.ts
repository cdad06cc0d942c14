import { withoutMarks } from '../text-flow.ts';

interface SlideLine {
  readonly isTitle: boolean;
  readonly text: string;
}

interface ListedSlide {
  readonly persistId: number;
  readonly slideId: number;
  /** Texts of the outline, which shapes of the slide reference by number. */
  readonly texts: readonly SlideLine[];
}

/** Slides (0), masters (1) or notes (2) in order, from the lists of the document ([MS-PPT] 2.4.14). */
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

/** Text of the shapes of a slide in order, and its comments; the outline's text when no shape references it. */
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

/** Whether a show passes over a slide ([MS-PPT] 2.6.6). */
export const isHiddenSlide = (slide: Buffer): boolean =>
  [...recordsIn(slide)].some(
    ({ type, body }) => type === RECORD.slideShow && body.length >= 12 && (body.readUInt16LE(10) & 4) !== 0,
  );

/** Text of the shapes of a master that are not placeholders: every slide shows them. */
export const masterText = (master: Buffer): readonly string[] =>
  [...allRecords(master)]
    .filter(({ type }) => type === RECORD.shape)
    .map(({ body }) => [...allRecords(body)])
    .filter((records) => !records.some(({ type }) => type === RECORD.placeholder))
    .flatMap((records) => records.filter(isText).map(textOf))
    .filter((text) => text !== '' && text !== '*');

/** The flags that show the date (0), the header (1) or the footer (2) of a presentation ([MS-PPT] 2.4.15.2). */
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

/** A record of a presentation from before 2007 ([MS-PPT] 2.3.1). */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  /** Contains records. */
  readonly isContainer: boolean;
  readonly body: Buffer;
}

/** Types of records ([MS-PPT] 2.13.24). */
export const RECORD = {
  document: 1000,
  slide: 1006,
  notes: 1008,
  notesAtom: 1009,
  slidePersist: 1011,
  slideShow: 1017,
  outlineText: 3998,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  cString: 4026,
  headersFooters: 4057,
  headersFootersAtom: 4058,
  slideList: 4080,
  userEdit: 4085,
  /** Records of newer versions, in a separate atom. */
  tagData: 5003,
  persistDirectory: 6002,
  comment: 12000,
  placeholder: 3011,
  mainMaster: 1016,
  clientData: 0xf011,
  shape: 0xf004,
} as const;

const HEADER = 8;

/** The record at an offset; null when there is none. A truncated record counts as far as it goes. */
export const recordAt = (bytes: Buffer, at: number): PptRecord | null => {
  if (at < 0 || at + HEADER > bytes.length) return null;
  const head = bytes.readUInt16LE(at);
  const length = bytes.readUInt32LE(at + 4);
  return {
    type: bytes.readUInt16LE(at + 2),
    instance: head >>> 4,
    isContainer: (head & 0x0f) === 0x0f,
    body: bytes.subarray(at + HEADER, Math.min(at + HEADER + length, bytes.length)),
  };
};

/** Consecutive records. */
export const recordsIn = function* (bytes: Buffer): Generator<PptRecord> {
  for (let at = 0; ;) {
    const record = recordAt(bytes, at);
    if (record === null) return;
    yield record;
    at += HEADER + record.body.length;
  }
};

const MAX_DEPTH = 32;

/** All nested records, containers before their contents. */
export const allRecords = function* (bytes: Buffer, depth = 0): Generator<PptRecord> {
  for (const record of recordsIn(bytes)) {
    yield record;
    const holdsRecords = record.isContainer || record.type === RECORD.tagData;
    if (holdsRecords && depth < MAX_DEPTH) yield* allRecords(record.body, depth + 1);
  }
};

/** Text of an atom: UTF-16, or only its low bytes. */
export const textOf = ({ type, body }: PptRecord): string =>
  withoutMarks(
    (type === RECORD.textBytes ? body.toString('latin1') : body.toString('utf16le'))
      .replaceAll('\r', '\n')
      .replaceAll('\x0b', '\n'),
  ).trim();
