import { expect, it } from 'vitest';
import { linkMarks } from '../../console/src/pages/search/marks.ts';

const text = (value: string) => ({ type: 'text', value });
const element = (tagName: string, ...children: readonly object[]) => ({ type: 'element', tagName, children });

it('links the marks of an answer to what it cites, but not in code, and no number that nothing has', () => {
  const answer = element('p', text('Reeds [1], a lake [12][3].'), element('code', text('row[1]')));
  linkMarks((number) => number < 4)()(answer as never);
  const mark = (number: number) => ({
    ...element('a', text(`[${number}]`)),
    properties: { href: `#cited-${number}` },
  });
  const isWritten = ({ value }: { readonly value?: string }) => value !== '';
  expect((answer.children as readonly { readonly value?: string }[]).filter(isWritten)).toEqual([
    text('Reeds '),
    mark(1),
    text(', a lake '),
    text('[12]'),
    mark(3),
    text('.'),
    element('code', text('row[1]')),
  ]);
});
