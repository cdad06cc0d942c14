/** Lines that a room of an adapter may have: what is more is read by nobody as a whole. */
const MAX_ROOM_LINES = 3_000;

/**
 * The room of a file of an adapter: `adapters/postgres/events` with all that lies below it; what lies in
 * `adapters/postgres` itself is a room of its own.
 */
const roomOf = (path: string): string => {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, 3).join('/');
};

/** Lines of each room. `lines`: of each file, by its path from the root of the project. */
export const roomSizes = (lines: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>();
  for (const [path, count] of lines) {
    const room = roomOf(path);
    sizes.set(room, (sizes.get(room) ?? 0) + count);
  }
  return sizes;
};

/** Every room that is too large, as `room has n lines`. */
export const largeRooms = (lines: ReadonlyMap<string, number>): readonly string[] =>
  [...roomSizes(lines)]
    .filter(([, count]) => count > MAX_ROOM_LINES)
    .map(([room, count]) => `${room} has ${count} lines, more than ${MAX_ROOM_LINES}`);
