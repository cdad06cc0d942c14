/** Bytes of a name in UTF-8: what file systems take. */
const MOST_BYTES = 255;
const MOST_BYTES_OF_PATH = 1_000;

/** Characters that no name has: controls, and separators of lines. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:)/;

/**
 * The name that an uploaded file has in its group: its path, where that leads into a folder, so that files of equal names
 * in several folders stay apart. Of a path that leads elsewhere (`../a`, `/etc/a`, `C:\\a`) the last part. Never empty.
 */
export const groupFileName = (given: string, number: number): string => {
  const text = given.toWellFormed().replaceAll(CONTROLS, '').normalize('NFC').trim();
  const parts = text.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const leadsElsewhere = ABSOLUTE.test(text) || parts.includes('..');
  const named = leadsElsewhere ? parts.slice(-1).filter((part) => part !== '..') : parts;
  const path = named.map((part) => shortened(part, MOST_BYTES));
  while (path.length > 1 && bytesOf(path.join('/')) > MOST_BYTES_OF_PATH) path.shift();
  return path.length === 0 ? `file ${number}` : path.join('/');
};

/** Those that come again get a number, before the ending: no file of a form hides another. */
export const apart = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let n = 2; taken.has(free); n += 1) free = numbered(name, n);
    taken.add(free);
    return free;
  });
};

const ENDING = /\.[^./]{1,20}$/;

const numbered = (name: string, n: number): string => {
  const [ending = ''] = ENDING.exec(name) ?? [];
  return `${name.slice(0, name.length - ending.length)} (${n})${ending}`;
};

/** Without what is too much before its ending. */
const shortened = (name: string, most: number): string => {
  if (bytesOf(name) <= most) return name;
  const [ending = ''] = ENDING.exec(name) ?? [];
  const characters = Array.from(name.slice(0, name.length - ending.length));
  while (bytesOf(characters.join('') + ending) > most) characters.pop();
  return characters.join('') + ending;
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;
