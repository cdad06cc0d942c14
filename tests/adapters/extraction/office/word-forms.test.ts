import { afterAll, describe, expect, it } from 'vitest';
import { docFile, docForm } from '../corpus/doc-file.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());
const textOf = async (text: string, forms: readonly Buffer[], wide = false): Promise<string> =>
  (await reading.units(docFile([{ text }], { forms, wide }), { fileName: 'a.doc' }))[0]![2];

const BOX = '\x13 FORMCHECKBOX \x01\x14\x15';
const CHOICE = '\x13 FORMDROPDOWN \x01\x14\x15';
const towns = ['Ulm', 'Bonn', 'Garmisch-Partenkirchen am Fuß der Zugspitze'];

describe('a form in a Word document from before 2007', () => {
  it.each([false, true])('shows which boxes are checked (two bytes a character: %s)', async (wide) => {
    const forms = [docForm(1, 0), docForm(0, 1), docForm(25, 1), docForm(25, 0)];
    expect(await textOf(`${BOX} yes ${BOX} no ${BOX} by itself ${BOX} not\r`, forms, wide)).toBe(
      '☒ yes ☐ no ☒ by itself ☐ not',
    );
  });

  it('shows the chosen words of its lists, however long they are', async () => {
    const forms = [docForm(2, 0, towns), docForm(25, 1, towns), docForm(1, 0)];
    expect(await textOf(`From ${CHOICE} to ${CHOICE} ${BOX} by train\r`, forms)).toBe(
      'From Garmisch-Partenkirchen am Fuß der Zugspitze to Bonn ☒ by train',
    );
  });

  it('shows them in the cells of tables and behind other marks', async () => {
    const file = docFile(
      [
        { text: 'Town\x07', inTable: true },
        { text: `\x01${CHOICE}\x07`, inTable: true },
        { text: '\x07', inTable: true, endsRow: true },
        { text: 'End\r' },
      ],
      { forms: [Buffer.alloc(0x44), docForm(0, 0, towns)] },
    );
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([[[], 0, 'Town | Ulm\n\nEnd']]);
  });

  it.each([
    ['a number of a word that is not there', docForm(7, 0, towns)],
    ['a value that breaks off', docForm(1, 0, towns).subarray(0, 90)],
    ['something else', Buffer.alloc(200)],
  ])('shows nothing of %s', async (_, form) => {
    expect(await textOf(`A ${CHOICE} b\r`, [form])).toBe('A  b');
  });
});
