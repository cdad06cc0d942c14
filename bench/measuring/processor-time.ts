import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds of processor time that a process and all below it have used so far, those that have ended included once their
 * parent has noticed. Null where there is no /proc.
 */
export const processorTimeOfTree = (root: number): number | null => {
  const all = statsOfTree(root);
  return all === null ? null : all.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
};

/**
 * Megabytes of memory that a process and all below it take, what they share counted once (PSS of proc(5)), by their
 * names. Null where there is no /proc.
 */
export const memoryOfTree = (root: number): Readonly<Record<string, number>> | null => {
  const all = statsOfTree(root);
  if (all === null) return null;
  const memory: Record<string, number> = {};
  for (const { pid, name } of all) memory[name] = (memory[name] ?? 0) + megabytesOf(pid);
  return memory;
};

const megabytesOf = (pid: number): number => {
  try {
    const [, kilobytes = 0] =
      /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return 0;
  }
};

/** Of a process and all below it. */
const statsOfTree = (root: number): readonly Stat[] | null => {
  const all = statsOfAll();
  if (all === null) return null;
  const below = new Set([root]);
  // Children may come before their parents: numbers of processes begin again.
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid }) => below.has(pid));
};

interface Stat {
  readonly pid: number;
  /** Of its program. */
  readonly name: string;
  readonly parent: number;
  /** Of itself and of its ended children, in user mode and in the kernel: values 14 to 17 of proc(5). */
  readonly ticks: number;
}

const statsOfAll = (): readonly Stat[] | null => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(Number(name)) ?? []);
  } catch {
    return null;
  }
};

const statOf = (pid: number): Stat | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Its name stands in parentheses, and may hold anything.
    const values = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = values.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
    const name = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'));
    return { pid, name, parent: Number(values[1]), ticks };
  } catch {
    return null;
  }
};
