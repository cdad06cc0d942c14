import type { FileStore, StoredFile } from '../../ports/file-store.ts';

/** The last uploaded version of a file of a group. */
export interface GroupFile {
  /** Unique within the group. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Unix milliseconds, as claimed by the caller. */
  readonly modified: number;
}

/** The newest part of a list. */
export interface GrownList {
  readonly list: StoredFile;
  readonly added: number;
  readonly replaced: number;
  /** Total bytes of the added and replaced files. */
  readonly bytes: number;
}

/**
 * A part of the list of a group's files; entries of newer parts override those of older ones. Each part is at least
 * twice as long as all newer parts together, so a list of n files has about log n parts, and each file is written about
 * log n times (as in an LSM tree).
 */
interface Part {
  readonly format: 1;
  /** Hash of the next older part; null in the oldest. */
  readonly previous: string | null;
  /**
   * Makes the part different from those of other uploads, which a sweep may be deleting as unreferenced. Absent in
   * older parts.
   */
  readonly upload?: string;
  /** Ordered by name. */
  readonly files: readonly GroupFile[];
}
interface StoredPart extends Part {
  readonly sha256: string;
}

type Lists = Pick<FileStore, 'read' | 'putText'>;

export interface GrowOptions {
  /** Unique id of the upload. */
  readonly upload?: string;
  /** Names of files that count as changed even if their bytes are the same. */
  readonly again?: ReadonlySet<string> | undefined;
}

/**
 * The list with these files added or replaced, by name. Null: the list already has them with identical bytes.
 * Superseded parts become unreferenced.
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
  /** Ordered by name. */
  readonly files: readonly GroupFile[];
  /** Hashes of all parts. */
  readonly parts: readonly string[];
}

/** @throws Error if a part is missing: the file store has lost it */
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
    if (bytes === null)
      throw new Error(`the file store has lost a part of the list of files: ${sha256} is missing`);
    parts.push({ ...(JSON.parse(bytes.toString('utf8')) as Part), sha256 });
  }
  return parts;
};

/** `parts`: newest first. */
const merged = (parts: readonly Pick<Part, 'files'>[]): ReadonlyMap<string, GroupFile> =>
  new Map(parts.toReversed().flatMap(({ files }) => files.map((file) => [file.name, file] as const)));

/** Maximum name length of file systems, in UTF-8 bytes. */
const MAX_BYTES = 255;
const MAX_BYTES_OF_PATH = 1_000;

/** Control characters and line separators are removed from names. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:)/;

/**
 * The name of an uploaded file in its group: its relative path, so that files with equal names in several folders stay
 * distinct. Of a path that leads outside (`../a`, `/etc/a`, `C:\\a`), only the last segment. Never empty.
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

/** Makes names unique by a number before the extension, so that no file of a form hides another. */
export const uniqueNames = (names: readonly string[]): readonly string[] => {
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

/** Shortens the part before the extension. */
const shortened = (name: string, most: number): string => {
  if (bytesOf(name) <= most) return name;
  const [ending = ''] = ENDING.exec(name) ?? [];
  const characters = Array.from(name.slice(0, name.length - ending.length));
  while (bytesOf(characters.join('') + ending) > most) characters.pop();
  return characters.join('') + ending;
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;
