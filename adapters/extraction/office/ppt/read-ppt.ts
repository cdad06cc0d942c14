import type { TextUnit } from '../../../../domain/chunking/chunk.ts';
import { type CompoundFile, openCompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { readSummaryTitle } from '../properties.ts';
import type { OfficeText } from '../text-flow.ts';
import {
  type PptRecord,
  RECORD,
  allRecords,
  isHiddenSlide,
  listedSlides,
  marginTexts,
  masterText,
  recordAt,
  recordsIn,
  slideText,
  textOf,
} from './slides.ts';

const ENCRYPTED_TOKEN = 0xf3d1c4df;

/**
 * Text of a presentation from before 2007 ([MS-PPT]): a unit per slide under its title, with the slide number, then
 * comments and speaker notes; last the text that masters, headers and footers show on every slide. If its directory is
 * broken, all text that is found, without numbers.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed` for PowerPoint 95 and older, `too_large`
 */
export const readPpt = (bytes: Buffer, maxCharacters: number): OfficeText => {
  const file = openCompoundFile(bytes);
  const { stream, user } = readStreams(file);
  const persisted = user.length >= 20 ? readPersisted(stream, user.readUInt32LE(16)) : null;
  const units = (persisted === null ? null : slideUnits(persisted)) ?? looseText(stream);
  if (units.reduce((sum, { text }) => sum + text.length, 0) > maxCharacters)
    throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
  return { title: readSummaryTitle(file), language: null, units };
};

/** The records, and the user who saved them last. */
const readStreams = (file: CompoundFile): { readonly stream: Buffer; readonly user: Buffer } => {
  const stream = read(file, 'PowerPoint Document');
  const user = read(file, 'Current User');
  if (stream === null || user === null)
    throw new ExtractionFailure('parser_failed', 'it is of PowerPoint 95 or older, which is not read');
  if (user.length >= 20 && user.readUInt32LE(12) === ENCRYPTED_TOKEN)
    throw new ExtractionFailure('encrypted', 'the presentation needs a password');
  return { stream, user };
};

/** Files for both PowerPoint 95 and 97 have the newer one in a storage. */
const read = (file: CompoundFile, name: string): Buffer | null =>
  file.read(`PP97_DUALSTORAGE/${name}`) ?? file.read(name);

const slideUnits = ({ document, recordOf }: Persisted): TextUnit[] | null => {
  const slides = listedSlides(document, 0);
  if (slides.length === 0) return null;
  const notes = new Map<number, string>();
  const margins = new Set(marginTexts(document));
  for (const { persistId, texts } of listedSlides(document, 2)) {
    const record = recordOf(persistId);
    if (record === null) continue;
    for (const margin of marginTexts(record.body)) margins.add(margin);
    const atom = [...recordsIn(record.body)].find(({ type }) => type === RECORD.notesAtom);
    const text = slideText(record.body, texts).blocks.join('\n');
    if (atom !== undefined && atom.body.length >= 4 && text !== '')
      notes.set(atom.body.readUInt32LE(0), text);
  }
  const masters = listedSlides(document, 1).flatMap(({ persistId }) =>
    masterText(recordOf(persistId)?.body ?? NONE),
  );
  const units = slides.flatMap(({ persistId, slideId, texts }, index): TextUnit | [] => {
    const record = recordOf(persistId);
    if (isHiddenSlide(record?.body ?? NONE)) return [];
    for (const margin of marginTexts(record?.body ?? NONE)) margins.add(margin);
    const { title, blocks } = slideText(record?.body ?? NONE, texts);
    const note = notes.get(slideId);
    const all = note === undefined ? blocks : [...blocks, `Notes: ${note}`];
    if (all.length === 0) return [];
    return { headingPath: title === null ? [] : [title], pageNumber: index + 1, text: all.join('\n\n') };
  });
  const beside = {
    headingPath: [],
    pageNumber: 0,
    text: [...new Set([...masters, ...margins])].join('\n\n'),
  };
  return beside.text === '' ? units : [...units, beside];
};

const NONE = Buffer.alloc(0);

const looseText = (stream: Buffer): TextUnit[] => {
  const texts: string[] = [];
  for (const record of allRecords(stream)) {
    if (record.type === RECORD.textChars || record.type === RECORD.textBytes) texts.push(textOf(record));
  }
  return [{ headingPath: [], pageNumber: 0, text: texts.filter((text) => text !== '').join('\n\n') }];
};

/** The newest version of each object of a presentation. */
interface Persisted {
  readonly document: Buffer;
  readonly recordOf: (persistId: number) => PptRecord | null;
}

/** Maximum number of edits that are followed back: each save may add one. */
const MAX_EDITS = 10_000;

interface PersistedPlaces {
  /** Offset of the newest version of each object, by its id. */
  readonly places: ReadonlyMap<number, number>;
  readonly documentId: number | null;
}

/** Follows the edits back from the newest one ([MS-PPT] 2.3.3). */
const persistedPlaces = (stream: Buffer, newestEdit: number): PersistedPlaces => {
  const places = new Map<number, number>();
  let documentId: number | null = null;
  let at = newestEdit;
  const seen = new Set<number>();
  while (seen.size < MAX_EDITS && !seen.has(at)) {
    seen.add(at);
    const edit = recordAt(stream, at);
    if (edit === null || edit.type !== RECORD.userEdit || edit.body.length < 20) break;
    documentId ??= edit.body.readUInt32LE(16);
    addPlaces(recordAt(stream, edit.body.readUInt32LE(12)), places);
    at = edit.body.readUInt32LE(8);
    if (at === 0) break;
  }
  return { places, documentId };
};

/** Null when the edits do not lead to a document. */
const readPersisted = (stream: Buffer, newestEdit: number): Persisted | null => {
  const { places, documentId } = persistedPlaces(stream, newestEdit);
  const recordOf = (id: number): PptRecord | null => {
    const place = places.get(id);
    return place === undefined ? null : recordAt(stream, place);
  };
  const document = documentId === null ? null : recordOf(documentId);
  return document?.type === RECORD.document ? { document: document.body, recordOf } : null;
};

/** Adds runs of ids with their offsets; entries of newer edits win. */
const addPlaces = (directory: PptRecord | null, places: Map<number, number>): void => {
  if (directory === null || directory.type !== RECORD.persistDirectory) return;
  const { body } = directory;
  for (let at = 0; at + 4 <= body.length;) {
    const head = body.readUInt32LE(at);
    const [first, count] = [head & 0xfffff, head >>> 20];
    at += 4;
    for (let index = 0; index < count && at + 4 <= body.length; index += 1, at += 4) {
      if (!places.has(first + index)) places.set(first + index, body.readUInt32LE(at));
    }
  }
};
