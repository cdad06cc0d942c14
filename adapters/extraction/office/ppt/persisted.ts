import { RECORD, recordAt, type PptRecord } from './records.ts';

/** The newest version of each object of a presentation. */
export interface Persisted {
  readonly document: Buffer;
  readonly recordOf: (persistId: number) => PptRecord | null;
}

/** Edits that are followed back: each save may add one. */
const MAX_EDITS = 10_000;

interface PersistedPlaces {
  /** Of the newest version of each object, by its id. */
  readonly places: ReadonlyMap<number, number>;
  readonly documentId: number | null;
}

/** Follows the edits from the newest one back ([MS-PPT] 2.3.3). */
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

/** Null where the edits lead to no document. */
export const readPersisted = (stream: Buffer, newestEdit: number): Persisted | null => {
  const { places, documentId } = persistedPlaces(stream, newestEdit);
  const recordOf = (id: number): PptRecord | null => {
    const place = places.get(id);
    return place === undefined ? null : recordAt(stream, place);
  };
  const document = documentId === null ? null : recordOf(documentId);
  return document?.type === RECORD.document ? { document: document.body, recordOf } : null;
};

/** Runs of ids with their places; what a newer edit has said counts. */
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
