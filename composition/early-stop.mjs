// Plain JavaScript, and the first module that a service loads: a signal may come before anything else is loaded.

const NAMES = ['SIGINT', 'SIGTERM'];

/** Writes the last log line in the format of `createLog`, which is not loaded yet, and exits. Nothing needs cleanup. */
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

/** From now on other code handles signals. */
export const stopNoMoreEarly = () => {
  for (const name of NAMES) process.off(name, tellStopped);
};
