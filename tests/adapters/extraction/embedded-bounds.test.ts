import { expect, it } from 'vitest';
import { EXTRACTION_LIMITS } from '../../../adapters/extraction/document-reader.ts';
import {
  type EmbeddedReader,
  type Holder,
  readEmbedded,
} from '../../../adapters/extraction/embedded/read-embedded.ts';
import { docxFile, paragraph } from './corpus/open-xml.ts';

const inner = docxFile(paragraph('Inside'));
const parts = Object.fromEntries([1, 2, 3].map((nth) => [`word/embeddings/${nth}.docx`, inner]));
const holder: Holder = { kind: 'docx', bytes: docxFile(paragraph('Around'), parts), attachments: [] };

/** Reads six characters out of each, and notes how many more it might. */
const reading = (work = () => {}) => {
  const left: number[] = [];
  const read: EmbeddedReader = async (_kind, _bytes, _name, { textCharacters }) => {
    left.push(textCharacters);
    work();
    return { units: [{ text: 'Inside', headingPath: [], pageNumber: 0 }] };
  };
  return { left, read };
};
const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const work = (ms: number) => () => {
  const until = usedMs() + ms;
  while (usedMs() < until);
};

it('documents within one get what is left of its characters, and none is cut', async () => {
  const { left, read } = reading();
  const units = await readEmbedded(holder, { ...EXTRACTION_LIMITS, textCharacters: 16 }, read);
  expect(left).toEqual([16, 10, 4]);
  expect(units).toHaveLength(2);
});

it('documents within one get half of its processor time', async () => {
  const { left, read } = reading(work(2_000));
  const units = await readEmbedded(holder, { ...EXTRACTION_LIMITS, timeMs: 2_000 }, read);
  expect([left.length, units.length]).toEqual([1, 1]);
});
