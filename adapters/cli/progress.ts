/** Where a command tells how far it is. */
export interface Screen {
  readonly write: (text: string) => void;
  /** Lines can be overwritten. */
  readonly isTerminal: boolean;
}

const WIDTH = 30;
const UNITS = ['B', 'kB', 'MB', 'GB'];

/** As people read it: `22.9 MB`. */
export const sizeOf = (bytes: number): string => {
  let unit = 0;
  let size = bytes;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
};

const bar = (share: number): string => {
  const full = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} %`;
};

/** One line that moves; where lines cannot be overwritten, a line for each tenth. */
export const createProgressBar = ({ write, isTerminal }: Screen, label: string) => {
  let shown = -1;
  return {
    show: (done: number, total: number, unit: string): void => {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const line = `${label} ${bar(share)}  ${unit}`;
      if (isTerminal) write(`\r\u001b[K${line}`);
      else if (Math.floor(share * 10) > shown) write(`${line}\n`);
      shown = Math.floor(share * 10);
    },
    end: (): void => {
      if (isTerminal) write('\n');
    },
  };
};

interface FileProgress {
  readonly path: string;
  readonly bytes: number;
  /** Null: nobody has said how many they are. */
  readonly of: number | null;
}

/** A line for each file, one after the other; at a terminal with a bar that moves with each percent. */
export const createFileProgress = ({ write, isTerminal }: Screen) => {
  let last = '';
  let path = '';
  const end = (): void => {
    if (last !== '' && isTerminal) write('\n');
    last = '';
  };
  return {
    show: (file: FileProgress): void => {
      if (file.path !== path) {
        end();
        ({ path } = file);
        if (!isTerminal) write(`${path}\n`);
      }
      const line = file.of
        ? `${bar(Math.min(1, file.bytes / file.of))} of ${sizeOf(file.of)}  ${path}`
        : `${path} ${sizeOf(file.bytes)}`;
      if (!isTerminal || line === last) return;
      write(`\r\u001b[K${line}`);
      last = line;
    },
    end,
  };
};
