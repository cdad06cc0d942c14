import { expect, it } from 'vitest';
import { detectLanguage } from '../../../../adapters/extraction/detect-language.ts';
import { documentLanguage } from '../../../../application/sources/ingestion/prepare-text.ts';

const GERMAN = 'Der Vertrag beginnt mit der Unterschrift beider Parteien und endet nach zwei Jahren. ';

it.each([
  ['what the text shows, whatever the page declares', 'en', GERMAN.repeat(3), 'de'],
  ['what is declared where it says the same more exactly', 'de-AT', GERMAN.repeat(3), 'de-AT'],
  ['what is declared of a short text', 'en', GERMAN, 'en'],
  ['what a short text shows where nothing is declared', null, GERMAN, 'de'],
  ['what is declared where nothing shows', 'fr', '1 2 3 4 5 '.repeat(50), 'fr'],
  ['nothing where nothing shows', null, '1 2 3', null],
  ['nothing that is no tag', 'deutsch, glaube ich', '1 2 3', null],
])('takes %s', (_, declared, text, language) =>
  expect(documentLanguage(declared, [{ text }], detectLanguage)).toBe(language),
);
