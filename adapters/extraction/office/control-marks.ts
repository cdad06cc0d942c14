/** C0 controls but tab and line feed: in binary Office files they are marks within the text. */
const MARK = /[\p{Cc}--[\t\n\x7f-\x9f]]/gv;

/** Where these marks stand, in their order. */
export const marksIn = function* (
  text: string,
  marks: string,
): Generator<{ readonly mark: string; readonly index: number }> {
  for (const { 0: mark, index } of text.matchAll(MARK)) if (marks.includes(mark)) yield { mark, index };
};

export const withoutMarks = (text: string): string => text.replaceAll(MARK, '');
