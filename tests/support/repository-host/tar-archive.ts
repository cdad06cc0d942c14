import { gzipSync } from 'node:zlib';
import type { HostedCommit } from './objects.ts';

const BLOCK = 512;
const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);

const entry = (name: string, type: string, bytes: Buffer, link = ''): Buffer => {
  const header = Buffer.alloc(BLOCK);
  header.write(name.slice(0, 99), 0);
  header.write('0000644\0', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link.slice(0, 99), 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, padded(bytes)]);
};

export interface ArchiveFaults {
  /** As `export-ignore` in .gitattributes: these paths are left out. */
  readonly without?: readonly string[];
  /** As `export-subst`: these hold other bytes. */
  readonly changed?: readonly string[];
  /** Entries beside, under names that lead elsewhere. */
  readonly hostile?: boolean;
  /** The archive ends in the middle, within sound gzip. */
  readonly cut?: boolean;
}

/** As `git archive` writes it: a global pax header with the commit, then folders, files and links. */
export const archiveOf = ({ sha, files }: HostedCommit, faults: ArchiveFaults = {}): Buffer => {
  const top = `owner-name-${sha.slice(0, 7)}/`;
  const entries = [...files].flatMap(([path, { mode, bytes }]) => {
    if (faults.without?.includes(path) === true) return [];
    const name = top + path;
    if (mode === '160000') return [entry(`${name}/`, '5', Buffer.alloc(0))];
    if (mode === '120000') return [entry(name, '2', Buffer.alloc(0), bytes.toString())];
    const said = faults.changed?.includes(path) === true ? Buffer.concat([bytes, Buffer.from('!')]) : bytes;
    return [entry(name, '0', said)];
  });
  const comment = Buffer.from(`52 comment=${sha}\n`);
  const tar = Buffer.concat([
    entry('pax_global_header', 'g', comment),
    entry(top, '5', Buffer.alloc(0)),
    ...(faults.hostile === true ? [entry(`${top}../../evil`, '0', Buffer.from('evil'))] : []),
    ...entries,
    Buffer.alloc(2 * BLOCK),
  ]);
  return gzipSync(
    faults.cut === true ? tar.subarray(0, Math.floor(tar.length / 2 / BLOCK) * BLOCK + 100) : tar,
  );
};
