/** Where a command tells how far it is. */
export interface Screen {
  readonly write: (text: string) => void;
  /** Lines can be overwritten. */
  readonly isTerminal: boolean;
}

export interface ProgressBar {
  readonly show: (done: number, total: number, unit: string) => void;
  readonly end: () => void;
}

const WIDTH = 30;

/** One line that moves; where lines cannot be overwritten, a line for each tenth. */
export const createProgressBar = ({ write, isTerminal }: Screen, label: string): ProgressBar => {
  let shown = -1;
  return {
    show: (done, total, unit) => {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const line = `${label} ${bar(share)} ${String(Math.floor(share * 100)).padStart(3)} %  ${unit}`;
      if (isTerminal) write(`\r\u001b[K${line}`);
      else if (Math.floor(share * 10) > shown) write(`${line}\n`);
      shown = Math.floor(share * 10);
    },
    end: () => {
      if (isTerminal) write('\n');
    },
  };
};

const bar = (share: number): string => {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`;
};
