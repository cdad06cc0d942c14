import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Clock ticks of Linux. */
const TICKS_PER_SECOND = 100;

/**
 * Answers how many seconds of processor time this process and its Postgres have used so far, which other load on the
 * machine changes little; null where there is no /proc.
 */
export const processorTime = async (pool: pg.Pool): Promise<() => number | null> => {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = statOf(rows[0]!.pid)?.parent;
  return () => {
    if (server === undefined) return null;
    const own = process.cpuUsage();
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const theirs = pids.map(Number).reduce((sum, pid) => {
      const stat = statOf(pid);
      return stat !== null && (pid === server || stat.parent === server) ? sum + stat.seconds : sum;
    }, 0);
    return (own.user + own.system) / 1e6 + theirs;
  };
};

/** Its parent, and what it and those of its children that have ended have used. */
const statOf = (pid: number): { readonly parent: number; readonly seconds: number } | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its name stands in parentheses, and may hold anything.
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = rest.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(parent), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
};
