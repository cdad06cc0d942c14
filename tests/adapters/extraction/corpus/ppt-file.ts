import { compoundFile } from './compound-file.ts';

export interface PptSlide {
  readonly title: string;
  readonly lines: readonly string[];
  readonly notes?: string;
  readonly isHidden?: boolean;
}

const record = (type: number, body: Buffer, { instance = 0, container = false } = {}): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (container ? 0x0f : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};
const holding = (type: number, records: readonly Buffer[], instance = 0): Buffer =>
  record(type, Buffer.concat(records), { container: true, instance });
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 * index));
  return bytes;
};
const text = (value: string): Buffer => record(4000, Buffer.from(value, 'utf16le'));
const header = (type: number): Buffer => record(3999, numbers(type));
/** A shape within the drawing of a slide. */
const shape = (records: readonly Buffer[]): Buffer => holding(0xf004, [holding(0xf00d, records)]);

interface PptOptions {
  readonly token?: number;
  /** Beside those of every presentation. */
  readonly streams?: Readonly<Record<string, Buffer>>;
  /** Date, header and footer of all slides, and the flags that show them. */
  readonly margins?: { readonly flags: number; readonly texts: readonly [string, string, string] };
}

/** A PowerPoint 97 presentation ([MS-PPT]): titles in the outline, lines in shapes, notes. */
export const pptFile = (
  slides: readonly PptSlide[],
  { token = 0xe391c05f, streams = {}, margins }: PptOptions = {},
): Buffer => {
  const noted = slides
    .map((slide, index) => ({ ...slide, id: 256 + index }))
    .filter(({ notes }) => notes !== undefined);
  const objects: Buffer[] = [
    holding(1000, [
      holding(
        4080,
        slides.flatMap(({ title }, index) => [listed(2 + index, 256 + index), header(0), text(title)]),
      ),
      holding(
        4080,
        noted.map((_, index) => listed(2 + slides.length + index, 512 + index)),
        2,
      ),
      ...(margins === undefined ? [] : [headersAndFooters(margins)]),
    ]),
    ...slides.map(({ lines, isHidden = false }) =>
      holding(1006, [
        record(1017, numbers(0, 0, isHidden ? 4 << 16 : 0, 0)),
        holding(1036, [
          shape([record(3998, numbers(0))]),
          ...lines.map((line) => shape([header(1), text(line)])),
        ]),
      ]),
    ),
    ...noted.map(({ notes, id }) =>
      holding(1008, [record(1009, numbers(id, 0)), holding(1036, [shape([header(2), text(notes!)])])]),
    ),
  ];
  const places: number[] = [];
  let at = 0;
  for (const object of objects) {
    places.push(at);
    at += object.length;
  }
  const directory = record(6002, numbers((objects.length << 20) | 1, ...places));
  const edit = record(4085, numbers(0, 0, 0, at, 1, 0, 0));
  const stream = Buffer.concat([...objects, directory, edit]);
  const user = Buffer.alloc(28);
  user.writeUInt32LE(20, 8);
  user.writeUInt32LE(token, 12);
  user.writeUInt32LE(at + directory.length, 16);
  return compoundFile({ 'PowerPoint Document': stream, 'Current User': user, ...streams });
};

const listed = (persistId: number, slideId: number): Buffer =>
  record(1011, numbers(persistId, 0, 0, slideId, 0));

const headersAndFooters = ({ flags, texts }: NonNullable<PptOptions['margins']>): Buffer =>
  holding(
    4057,
    [
      record(4058, numbers(flags << 16)),
      ...texts.map((value, instance) => record(4026, Buffer.from(value, 'utf16le'), { instance })),
    ],
    3,
  );
