/** The output that a command writes its progress to. */
export interface ProgressOutput {
  readonly write: (text: string) => void;
  /** Lines can be overwritten. */
  readonly isTerminal: boolean;
}

const WIDTH = 30;
const UNITS = ['B', 'kB', 'MB', 'GB'];

/** Formats a byte count for users, for example `22.9 MB`. */
export const formatBytes = (bytes: number): string => {
  let unit = 0;
  let size = bytes;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
};

const bar = (fraction: number): string => {
  const full = Math.floor(fraction * WIDTH);
  const percent = String(Math.floor(fraction * 100)).padStart(3);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} %`;
};

/** A progress bar that is redrawn on one line. If the output is not a terminal, it writes one line per 10 %. */
export const createProgressBar = ({ write, isTerminal }: ProgressOutput, label: string) => {
  let lastTenth = -1;
  return {
    show: (done: number, total: number, unit: string): void => {
      const fraction = total === 0 ? 1 : Math.min(1, done / total);
      const line = `${label} ${bar(fraction)}  ${unit}`;
      if (isTerminal) write(`\r\u001b[K${line}`);
      else if (Math.floor(fraction * 10) > lastTenth) write(`${line}\n`);
      lastTenth = Math.floor(fraction * 10);
    },
    end: (): void => {
      if (isTerminal) write('\n');
    },
  };
};

interface FileProgress {
  readonly path: string;
  readonly bytes: number;
  /** Total size in bytes; null when it is unknown. */
  readonly of: number | null;
}

/** Writes one line per file. In a terminal the line is a progress bar that is redrawn at each percent. */
export const createFileProgress = ({ write, isTerminal }: ProgressOutput) => {
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
        ? `${bar(Math.min(1, file.bytes / file.of))} of ${formatBytes(file.of)}  ${path}`
        : `${path} ${formatBytes(file.bytes)}`;
      if (!isTerminal || line === last) return;
      write(`\r\u001b[K${line}`);
      last = line;
    },
    end,
  };
};
