/** What a document may be called: the name of its file, or the last part of its address. */
export const nameIn = (request: { readonly fileName?: string; readonly url?: string }): string => {
  const name = request.fileName ?? lastPart(URL.parse(request.url ?? '')?.pathname ?? '') ?? '';
  return name.split(/[/\\]/).at(-1) ?? '';
};

/** The title that stands for a document without one: the name of its file or of the last part of its address. */
export const titleFromName = (request: { readonly fileName?: string; readonly url?: string }): string => {
  const url = request.url === undefined ? null : URL.parse(request.url);
  const stem = (nameIn(request) || (url?.hostname ?? '')).replace(/\.[A-Za-z0-9]{1,8}$/, '').trim();
  return stem === '' ? (url?.hostname ?? 'Untitled') : stem;
};

const lastPart = (path: string): string | null => {
  const part = path.split('/').findLast((segment) => segment !== '');
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray percent sign
  }
};
