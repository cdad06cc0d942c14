import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readManifest } from './manifest.ts';
import { SourceFailed, type WeightsSource } from './weights-source.ts';

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
