import { readXml } from '../../xml/read-xml.ts';

/** Footnotes, endnotes or comments by id, each as one line, those of comments behind their authors (ECMA-376-1, 17.11 and 17.13.4). */
export const readNotes = (
  xml: string | null,
  element: 'footnote' | 'endnote' | 'comment',
): ReadonlyMap<string, string> => {
  const notes = new Map<string, string>();
  if (xml === null) return notes;
  let id: string | null = null;
  let text = '';
  let inText = false;
  readXml(xml, {
    open: (name, attributes) => {
      inText = name === 't';
      if (name === element) {
        const { id: opened = '', author = '' } = attributes;
        [id, text] = [opened, author === '' ? '' : `${author}: `];
      }
      if (name === 'p' || name === 'br' || name === 'tab') text += ' ';
    },
    text: (data) => {
      if (inText) text += data;
    },
    close: (name) => {
      inText = false;
      if (name !== element || id === null) return;
      const line = text.replaceAll(/\s+/g, ' ').trim();
      if (line !== '') notes.set(id, line);
      id = null;
    },
  });
  return notes;
};
