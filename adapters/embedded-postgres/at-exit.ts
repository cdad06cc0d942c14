const endings = new Set<() => void>();
let listening = false;

const endAll = (): void => {
  for (const end of endings) end();
};

/**
 * Has `end` called when this process exits, however early; not when it is killed, which nobody is told of. `end` must
 * not wait. Answers how to take that back.
 */
export const atExit = (end: () => void): (() => void) => {
  if (!listening) process.on('exit', endAll);
  listening = true;
  endings.add(end);
  return () => {
    endings.delete(end);
  };
};

/** Signals a process, or with a negative id a group of them, that may have ended already. */
export const signalIfAlive = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
