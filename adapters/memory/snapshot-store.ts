import type { Snapshot, SnapshotStore } from '../../application/ports/snapshot-store.ts';

/** As text, like a database keeps them: what JSON cannot hold does not come back. */
export const createMemorySnapshotStore = (): SnapshotStore => {
  const kept = new Map<string, Snapshot & { readonly text: string }>();
  const key = (stream: string, shape: string): string => `${shape} ${stream}`;
  return {
    read: async (stream, shape, version) => {
      const found = kept.get(key(stream, shape));
      if (found === undefined || found.version !== version) return null;
      const { text, ...snapshot } = found;
      return { ...snapshot, state: JSON.parse(text) };
    },
    write: async (snapshot) => {
      const { stream, shape, version, revision } = snapshot;
      const before = kept.get(key(stream, shape));
      const newer =
        before !== undefined &&
        (before.version > version || (before.version === version && before.revision >= revision));
      if (!newer) kept.set(key(stream, shape), { ...snapshot, text: JSON.stringify(snapshot.state) });
    },
    forget: async (stream, shape) => {
      kept.delete(key(stream, shape));
    },
  };
};
