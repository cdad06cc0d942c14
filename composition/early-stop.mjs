// Plain JavaScript, and the first thing that a service loads: a signal may come before anything else is there.

const NAMES = ['SIGINT', 'SIGTERM'];

/** The last line, as `createLog` writes it, which is not loaded yet; and the end. Nothing is there to be put down. */
export const tellStopped = (signal) => {
  const { KNOWLEDGER_LOG_FORMAT: format } = process.env;
  const json = format === 'json' || (format !== 'text' && !process.stderr.isTTY);
  const message = `stopped by ${signal}, before anything was started`;
  const line = { time: new Date().toISOString(), level: 'info', message };
  process.stderr.write(`${json ? JSON.stringify(line) : message}\n`);
  process.exit(0);
};

export const stopEarly = () => {
  for (const name of NAMES) process.on(name, tellStopped);
};

/** Whoever watches signals from now on has been told. */
export const stopNoMoreEarly = () => {
  for (const name of NAMES) process.off(name, tellStopped);
};
