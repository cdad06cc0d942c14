import { ExtractionFailure } from '../../extraction-failure.ts';
import { readXml } from '../../xml/read-xml.ts';
import { unescaped } from './escaped-text.ts';

/** Texts that cells refer to by their index, phonetic hints left out (ECMA-376-1, 18.4). */
export const readSharedStrings = (xml: string | null, maxCharacters: number): readonly string[] => {
  const strings: string[] = [];
  if (xml === null) return strings;
  let text = '';
  let phonetic = 0;
  let inText = false;
  let characters = 0;
  readXml(xml, {
    open: (name) => {
      inText = name === 't';
      if (name === 'rPh') phonetic += 1;
    },
    text: (data) => {
      if (inText && phonetic === 0) text += data;
    },
    close: (name) => {
      inText = false;
      if (name === 'rPh') phonetic -= 1;
      if (name !== 'si') return;
      strings.push(unescaped(text));
      characters += text.length;
      text = '';
      if (characters > maxCharacters)
        throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
    },
  });
  return strings;
};
