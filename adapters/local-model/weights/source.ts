import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readManifest } from './manifest.ts';

/** A folder filled by hand: laid out as on a hub, or fetched by another machine. */
export const createFolderSource = (folder: string): WeightsSource => ({
  offer: async () => {
    const known = new Map(readManifest(folder)?.files.map(({ path, sha256 }) => [path, sha256]));
    const files = filesIn(folder).map((path) => {
      const hex = known.get(path);
      const digest = hex === undefined ? null : ({ kind: 'sha256', hex } as const);
      return { path, bytes: statSync(join(folder, path)).size, digest };
    });
    return { revision: null, bases: [], files };
  },
  open: async ({ path }, from) => ({
    from,
    digest: null,
    body: createReadStream(join(folder, path), { start: from }),
  }),
});

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => statSync(join(entry.parentPath, entry.name)).isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length)
          .replace(/^[/\\]+/, ''),
      )
      .map((path) => path.split(sep).join('/'));
  } catch {
    throw new SourceFailed(`${folder} cannot be read`, { passing: false });
  }
};

/** Checksum of a file; `git`: SHA-1 of git's blob, which hubs use for small files. */
export interface Digest {
  readonly kind: 'sha256' | 'git';
  readonly hex: string;
}

export interface OfferedFile {
  readonly path: string;
  /** Null when the source does not say. */
  readonly bytes: number | null;
  readonly digest: Digest | null;
}

/** The files of a model at a source. */
export interface Offer {
  readonly revision: string | null;
  /** Names of base models. */
  readonly bases: readonly string[];
  readonly files: readonly OfferedFile[];
}

export interface OpenedFile {
  /** Offset at which `body` begins: as requested, or 0. */
  readonly from: number;
  /** The hash of the whole file, if only the response contains it. */
  readonly digest: Digest | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A source of models. */
export interface WeightsSource {
  /** @throws SourceFailed; the signal's reason when it aborts */
  readonly offer: (signal: AbortSignal) => Promise<Offer>;
  /** @throws SourceFailed, also while `body` is read; the signal's reason when it aborts */
  readonly open: (file: OfferedFile, from: number, signal: AbortSignal) => Promise<OpenedFile>;
}

/** The source does not deliver. `passing`: a retry may succeed. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
  readonly passing: boolean;
  constructor(message: string, { passing }: { readonly passing: boolean }) {
    super(message);
    this.passing = passing;
  }
}
