import { isCompoundFile, openCompoundFile, type CompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { readSummaryTitle } from '../summary-title.ts';

/** A record of a workbook stream ([MS-XLS] 2.1.4), a view of its bytes. */
export interface WorkbookRecord {
  readonly type: number;
  readonly body: Buffer;
}

/** Records that say where links are, and where in them the first and the last row stand. */
const LINK_ROWS_AT: ReadonlyMap<number, number> = new Map([
  [0x01b8, 0],
  [0x0800, 2],
]);

/**
 * The records of a workbook and what it calls itself. Before Excel 5 a workbook was its stream alone.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`
 */
export const openWorkbookStream = (
  source: Buffer | CompoundFile,
): { readonly stream: Buffer; readonly title: string | null } => {
  if (Buffer.isBuffer(source) && !isCompoundFile(source)) return { stream: source, title: null };
  const file = openCompoundFile(source);
  const stream = file.read('Workbook') ?? file.read('Book');
  if (stream === null || stream.length === 0)
    throw new ExtractionFailure('parser_failed', 'its stream of records is missing');
  if (isLocked(stream)) throw new ExtractionFailure('encrypted', 'the workbook needs a password');
  return { stream, title: readSummaryTitle(file) };
};

/** `FilePass` and `BoundSheet8` ([MS-XLS] 2.3.1): a lock stands before the first sheet. */
const FILE_PASS = 0x002f;
const BOUND_SHEET = 0x0085;

const isLocked = (stream: Buffer): boolean => {
  for (const { type } of recordsOf(stream))
    if (type === FILE_PASS || type === BOUND_SHEET) return type === FILE_PASS;
  return false;
};

export const recordsOf = function* (stream: Buffer): Generator<WorkbookRecord> {
  for (let at = 0; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    yield { type: stream.readUInt16LE(at), body: stream.subarray(at + 4, end) };
    at = end;
  }
};

/** The same, with links over no cells: the library goes through all cells that one claims, a billion if it likes. */
export const withoutLinks = (stream: Buffer): Buffer => {
  const copy = Buffer.from(stream);
  for (const { type, body } of recordsOf(copy)) {
    const at = LINK_ROWS_AT.get(type);
    if (at === undefined || body.length < at + 4) continue;
    body.writeUInt16LE(1, at);
    body.writeUInt16LE(0, at + 2);
  }
  return copy;
};
