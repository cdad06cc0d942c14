import { readXml } from '../../xml/read-xml.ts';
import { commentLine } from '../comment-line.ts';

/** Comments on cells behind their authors (ECMA-376-1, 18.7), and those of conversations, which name no author here. */
export const sheetComments = (xml: string): readonly string[] => {
  const found: string[] = [];
  const authors: string[] = [];
  let author = '';
  let text = '';
  let name = '';
  readXml(xml, {
    open: (opened, { authorId }) => {
      name = opened;
      if (opened === 'author') authors.push('');
      else if (opened === 'comment') author = authors[Number(authorId ?? -1)] ?? '';
    },
    text: (data) => {
      if (name === 't' || name === 'text') text += data;
      else if (name === 'author') authors[authors.length - 1] += data;
    },
    close: (closed) => {
      name = '';
      if (closed !== 'comment' && closed !== 'threadedComment') return;
      const line = commentLine(author, text);
      if (line !== '') found.push(line);
      [author, text] = ['', ''];
    },
  });
  return found;
};
