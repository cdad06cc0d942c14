import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readManifest } from './manifest.ts';

/** A folder that somebody has filled: as a hub has the model, or as another machine has fetched it. */
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

/** By which a file is told from a broken one; `git`: SHA-1 of git's blob, as hubs name small files. */
export interface Digest {
  readonly kind: 'sha256' | 'git';
  readonly hex: string;
}

export interface OfferedFile {
  readonly path: string;
  /** Null where the source does not say. */
  readonly bytes: number | null;
  readonly digest: Digest | null;
}

/** What a source has of a model. */
export interface Offer {
  readonly revision: string | null;
  /** Of models that this one was made from. */
  readonly bases: readonly string[];
  readonly files: readonly OfferedFile[];
}

export interface OpenedFile {
  /** Where `body` begins: where it was asked to, or at 0. */
  readonly from: number;
  /** What only the answer says of the whole file. */
  readonly digest: Digest | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Where a model comes from. */
export interface WeightsSource {
  /** @throws SourceFailed; the signal's reason when it aborts */
  readonly offer: (signal: AbortSignal) => Promise<Offer>;
  /** @throws SourceFailed, also while `body` is read; the signal's reason when it aborts */
  readonly open: (file: OfferedFile, from: number, signal: AbortSignal) => Promise<OpenedFile>;
}

/** The source does not give what it is asked for. `passing`: it may the next time. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
  readonly passing: boolean;
  constructor(message: string, { passing }: { readonly passing: boolean }) {
    super(message);
    this.passing = passing;
  }
}
