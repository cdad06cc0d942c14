// Plain JavaScript on purpose: a Node of any age must be able to parse it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Interval of the check whether npm is still running. */
const POLL_MS = 250;

/** The first Node that runs TypeScript without a warning. */
export const fits = (version = process.versions.node) => {
  const [major, minor] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 12);
};

/**
 * The Node that `npm ci` installs when npm runs under one that is too old. Found by the path of its package: whether
 * npm also links it as `node_modules/.bin/node` depends on the version of npm.
 */
export const bundledNode = (root = ROOT, { platform, arch } = process) =>
  platform === 'win32'
    ? join(root, 'node_modules', `node-win-${arch}`, 'bin', 'node.exe')
    : join(root, 'node_modules', `node-${platform}-${arch}`, 'bin', 'node');

/** Why an installed Node does not run, with a remedy; null when it runs. */
export const whyItFails = (node) => {
  const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return null;
  const [, library] = /shared libraries: (\S+?):/.exec(stderr || '') || [];
  if (library) {
    // Debian and Ubuntu name their packages like this: libatomic.so.1 is in libatomic1.
    const name = library.replace(/_/g, '-').replace(/\.so\.(\d+)$/, '$1');
    return `it needs the library ${library}, which this system lacks (on Debian and Ubuntu: apt-get install ${name})`;
  }
  if (error && error.code === 'ENOENT') return 'it is made for glibc, and this system has another C library';
  return (stderr || String(error || `it ended with ${status}`)).trim();
};

/** The path of a suitable Node; otherwise ends the process with a line that says how to get one. */
const findNode = () => {
  const node = bundledNode();
  const found = existsSync(node);
  const why = found ? whyItFails(node) : null;
  if (found && why === null) return node;
  // A package that is installed brings none: npm links what it has within, and takes no packages for it.
  if (!found && ROOT.includes('/node_modules/')) {
    console.error(`knowledger needs Node 24.12 or newer. This is ${process.version}.`);
    process.exit(1);
  }
  const rest = found
    ? `the one that comes with "npm ci" does not run here: ${why}. Do that,`
    : `none is in ${dirname(dirname(node))}: run "npm ci" again with this Node and without --omit=optional (there is one for Linux and Intel Macs and Windows, none for Apple silicon),`;
  console.error(
    `knowledger needs Node 24.12 or newer. This is ${process.version}, and ${rest} or install Node 24.12 or newer.`,
  );
  process.exit(1);
};

/**
 * Runs a file under a suitable Node and exits as it does. Forwards signals. `apart` keeps the file out of the
 * terminal's process group, so that Ctrl-C reaches it once, and lets it detect, as under npm, that this process has
 * exited. Calls `onKilled` with a forwarded signal that killed the file before it was running.
 */
export const runWithFittingNode = (args, { apart, onKilled }) => {
  const node = findNode();
  const group = apart && process.platform !== 'win32';
  const env = { ...process.env };
  // Windows spells it "Path", and has no programs that begin with "#!/usr/bin/env node".
  if (process.platform !== 'win32') env.PATH = [dirname(node), env.PATH].filter(Boolean).join(delimiter);
  if (apart && env.npm_lifecycle_event === undefined) env.npm_lifecycle_event = 'start';
  const child = spawn(node, args, { stdio: 'inherit', detached: group, env });
  let handedOn;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A process in the terminal's group already gets Ctrl-C from the terminal.
    process.on(signal, () => {
      handedOn = signal;
      if (signal !== 'SIGINT' || group || !process.stdin.isTTY) child.kill(signal);
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) endWithParent(() => group || child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    if (onKilled && signal === handedOn) onKilled(signal);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
};

/** npm forwards a signal to the shell between the two processes. The shell dies of it and does not forward it. */
const endWithParent = (before) => {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    before();
    process.exit(1);
  };
  setInterval(look, POLL_MS).unref();
};
