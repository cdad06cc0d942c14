/**
 * The name of a part's file as the client meant it. Clients send UTF-8, or Latin-1, as bytes of a header, which `busboy`
 * gives as Latin-1; and browsers write quotes and line breaks as WHATWG HTML has it (multipart/form-data, "escape a
 * name"). A name of `filename*` comes decoded: one that reads as UTF-8 by chance is no name that anybody gives.
 */
export const fileNameOf = (given: string | undefined): string => {
  const text = given ?? '';
  const decoded = isLatin1(text) ? utf8Of(text) : text;
  return decoded.replaceAll(/%(?:22|0d|0a)/gi, (escape) => decodeURIComponent(escape));
};

const isLatin1 = (text: string): boolean => [...text].every((character) => character <= '\u00ff');

const utf8Of = (text: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
};
