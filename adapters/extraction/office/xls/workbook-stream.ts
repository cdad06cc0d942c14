import { isCompoundFile, openCompoundFile, type CompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { readSummaryTitle } from '../summary-title.ts';
import { openRecords } from './open-records.ts';

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
 * @throws {ExtractionFailure} `encrypted` but for the password that programs try themselves, `parser_failed`
 */
export const openWorkbookStream = (
  source: Buffer | CompoundFile,
): { readonly stream: Buffer; readonly title: string | null } => {
  if (Buffer.isBuffer(source) && !isCompoundFile(source)) return { stream: source, title: null };
  const file = openCompoundFile(source);
  const stream = file.read('Workbook') ?? file.read('Book');
  if (stream === null || stream.length === 0)
    throw new ExtractionFailure('parser_failed', 'its stream of records is missing');
  const opened = openRecords(stream);
  if (opened === null) throw new ExtractionFailure('encrypted', 'the workbook needs a password');
  return { stream: opened, title: readSummaryTitle(file) };
};

export const recordsOf = function* (stream: Buffer): Generator<WorkbookRecord> {
  for (let at = 0; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    yield { type: stream.readUInt16LE(at), body: stream.subarray(at + 4, end) };
    at = end;
  }
};

const DRAWING_GROUP = 0x00eb;
const CONTINUE = 0x003c;

/** What all sheets draw, which goes on in further records ([MS-XLS] 2.4.170). */
export const drawingGroup = (stream: Buffer): Buffer => {
  const parts: Buffer[] = [];
  let inGroup = false;
  for (const { type, body } of recordsOf(stream)) {
    inGroup = type === DRAWING_GROUP || (inGroup && type === CONTINUE);
    if (inGroup) parts.push(body);
    else if (parts.length > 0) break;
  }
  return Buffer.concat(parts);
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
