import type { FileStore, StoredFile } from '../../ports/file-store.ts';

/** One file of a group, as it was uploaded last. */
export interface GroupFile {
  /** Unique within the group. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Unix milliseconds, as the caller says. */
  readonly modified: number;
}

/** The newest part of a list. */
export interface GrownList {
  readonly list: StoredFile;
  readonly added: number;
  readonly replaced: number;
  /** Of the files that were added or replaced. */
  readonly bytes: number;
}

/**
 * Part of the list of a group's files: what newer parts name counts more. Each part is at least twice as long as all that
 * was put on top of it, so that a list of n files has about log n parts, and each file is written about log n times.
 */
interface Part {
  readonly format: 1;
  /** Hash of the next older part; null: this is the oldest. */
  readonly previous: string | null;
  /** Tells it from the parts of other uploads, which may be swept as nobody's at this moment. Absent in older ones. */
  readonly upload?: string;
  /** In the order of their names. */
  readonly files: readonly GroupFile[];
}
interface StoredPart extends Part {
  readonly sha256: string;
}

type Lists = Pick<FileStore, 'read' | 'putText'>;

export interface GrowOptions {
  /** Of this upload alone. */
  readonly upload?: string;
  /** Names of files that count as changed, although the list has the same bytes. */
  readonly again?: ReadonlySet<string> | undefined;
}

/**
 * The list with these files in it, by their names. Null: it has them already, byte for byte. Parts that it leaves behind
 * are nobody's any more.
 *
 * @param newest the hash of the newest part before; null: there is none
 */
export const growList = async (
  area: Lists,
  newest: string | null,
  files: readonly GroupFile[],
  { upload, again = new Set() }: GrowOptions = {},
): Promise<GrownList | null> => {
  const parts = await readParts(area, newest);
  const before = merged(parts);
  const changes = new Map(
    files.flatMap((file) =>
      before.get(file.name)?.sha256 === file.sha256 && !again.has(file.name)
        ? []
        : [[file.name, file] as const],
    ),
  );
  if (changes.size === 0) return null;
  const replaced = [...changes.keys()].filter((name) => before.has(name)).length;
  const bytes = [...changes.values()].reduce((sum, file) => sum + file.bytes, 0);
  let top: Omit<StoredPart, 'sha256'> = { format: 1, previous: newest, files: [...changes.values()] };
  for (const part of parts) {
    if (part.files.length > 2 * top.files.length) break;
    top = { format: 1, previous: part.previous, files: [...merged([top, part]).values()] };
  }
  const inOrder = {
    ...top,
    ...(upload !== undefined && { upload }),
    files: top.files.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const list = await area.putText(JSON.stringify(inOrder satisfies Part));
  return { list, added: changes.size - replaced, replaced, bytes };
};

export interface FileList {
  /** In the order of their names. */
  readonly files: readonly GroupFile[];
  /** Hashes of the parts. */
  readonly parts: readonly string[];
}

/** @throws Error where a part is missing, which is the loss of the file store */
export const readList = async (area: Lists, newest: string | null): Promise<FileList> => {
  const parts = await readParts(area, newest);
  const files = [...merged(parts).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { files, parts: parts.map(({ sha256 }) => sha256) };
};

/** Newest first. */
const readParts = async (area: Lists, newest: string | null): Promise<readonly StoredPart[]> => {
  const parts: StoredPart[] = [];
  for (let sha256 = newest; sha256 !== null; sha256 = parts.at(-1)!.previous) {
    const bytes = await area.read(sha256);
    if (bytes === null) throw new Error(`the list of files is not in the file store: ${sha256} is missing`);
    parts.push({ ...(JSON.parse(bytes.toString('utf8')) as Part), sha256 });
  }
  return parts;
};

/** Of the newest first. */
const merged = (parts: readonly Pick<Part, 'files'>[]): ReadonlyMap<string, GroupFile> =>
  new Map(parts.toReversed().flatMap(({ files }) => files.map((file) => [file.name, file] as const)));

/** Bytes of a name in UTF-8: what file systems take. */
const MAX_BYTES = 255;
const MAX_BYTES_OF_PATH = 1_000;

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
  const path = named.map((part) => shortened(part, MAX_BYTES));
  while (path.length > 1 && bytesOf(path.join('/')) > MAX_BYTES_OF_PATH) path.shift();
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
