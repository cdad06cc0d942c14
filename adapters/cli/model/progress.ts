export interface Screen {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
}

interface Progress {
  readonly path: string;
  readonly bytes: number;
  readonly of: number | null;
}

const WIDTH = 24;
const UNITS = ['B', 'kB', 'MB', 'GB'];

/** As people read it: `22.9 MB`. */
export const sizeOf = (bytes: number): string => {
  let unit = 0;
  let size = bytes;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
};

/**
 * Draws how far each file is: at a terminal as a bar that grows with each percent, elsewhere as a line for each file.
 * Files come one after the other.
 */
export const createProgress = (screen: Screen) => {
  let last = '';
  let path = '';
  const end = (): void => {
    if (last !== '' && screen.isTerminal) screen.write('\n');
    last = '';
  };
  return {
    show: (progress: Progress): void => {
      if (progress.path !== path) {
        end();
        path = progress.path;
        if (!screen.isTerminal) screen.write(`${path}\n`);
      }
      const line = barOf(progress);
      if (!screen.isTerminal || line === last) return;
      screen.write(`\r${line.padEnd(last.length)}`);
      last = line;
    },
    end,
  };
};

const barOf = ({ path, bytes, of }: Progress): string => {
  if (of === null || of === 0) return `${path} ${sizeOf(bytes)}`;
  const share = Math.min(1, bytes / of);
  const full = Math.floor(share * WIDTH);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} of ${sizeOf(of)}  ${path}`;
};
