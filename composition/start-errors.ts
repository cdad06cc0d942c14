import { once } from 'node:events';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { ConfigError } from './config/environment.ts';

type Coded = Error & { readonly code?: string; readonly path?: string };

const OF_FOLDERS: { readonly [code: string]: string } = {
  EEXIST: 'is no folder',
  ENOTDIR: 'is no folder, or lies in what is none',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  EROFS: 'cannot be written',
  ENOENT: 'cannot be made',
};

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** An error of making the data directory or something in it, with the variable to set; any other error as it is. */
export const dataDirError = (dataDir: string, error: unknown): unknown => {
  const { code = '', path } = error as Coded;
  if (FULL.has(code)) {
    return new ConfigError(
      `the disk of ${path ?? dataDir} is full (${code}): make room there, or set KNOWLEDGER_DATA_DIR to a folder on another`,
    );
  }
  const what = OF_FOLDERS[code];
  if (what === undefined || path === undefined || !isAlong(dataDir, path)) return error;
  return new ConfigError(
    `${path} ${what} (${code}): set KNOWLEDGER_DATA_DIR to a folder that this user may write`,
  );
};

/** Whether one lies in the other. */
const isAlong = (one: string, other: string): boolean =>
  [relative(one, other), relative(other, one)].some((way) => !way.startsWith('..'));

/** What is wrong with a server, and what to do. */
const OF_SERVERS: { readonly [code: string]: readonly [string, string] } = {
  ECONNREFUSED: ['nothing listens there', 'start it, or correct host and port'],
  ENOTFOUND: ['its host is not known', 'correct the host'],
  EAI_AGAIN: ['its host cannot be looked up now', 'look at the name service of this machine, or try again'],
  EHOSTUNREACH: ['its host is not reached', 'correct the host, or look at the network'],
  ETIMEDOUT: ['it does not answer', 'look at the server and at firewalls between, or correct host and port'],
  '28P01': ['it does not accept user and password', 'correct them, with % escapes for special characters'],
  '28000': ['it does not let the user in', 'correct the user, or let it in by pg_hba.conf'],
  '3D000': ['it has no database of that name', 'create it, or correct the name'],
};
const NO_PASSWORD = ['it wants a password', 'put it into the URL'] as const;

/**
 * An error of connecting to the configured Postgres, with the variable to set and the place that was tried, and nothing
 * else of its value; any other as it is.
 */
export const databaseUrlError = (error: unknown, databaseUrl: string): unknown => {
  const { code = '', message } = error as Coded;
  // pg has no code for a password that is asked for and not given.
  const known = OF_SERVERS[code] ?? (message.startsWith('SASL') ? NO_PASSWORD : undefined);
  if (known === undefined) return error;
  const [why, remedy] = known;
  const shown = code === '' ? '' : ` (${code})`;
  const host = URL.parse(databaseUrl)?.host ?? '';
  const place = host === '' ? '' : ` at ${host}`;
  return new ConfigError(
    `DATABASE_URL names a Postgres${place} that cannot be used: ${why}${shown}; ${remedy}`,
  );
};

interface Address {
  readonly host: string;
  readonly port: number;
  /** The variable that the port comes from; absent: PORT. */
  readonly variable?: string;
}

/**
 * Listens for a moment, so that an address that cannot be had is told before anything is started or made.
 *
 * @throws ConfigError that names the variable of the port, or HOST
 */
export const checkAddress = async (address: Address): Promise<void> => {
  const server = createServer();
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    throw addressError(address, error as NodeJS.ErrnoException);
  }
  server.close();
  await once(server, 'close');
};

/** What to do about an error of listening; the error itself where that is not known. */
export const addressError = (
  { host, port, variable = 'PORT' }: Address,
  error: NodeJS.ErrnoException,
): Error => {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new ConfigError(
        `port ${port} on ${host} is in use by another program: set ${variable} to one that is free`,
      );
    case 'EACCES':
      return new ConfigError(
        `port ${port} may not be used by this user: set ${variable} to one from 1024 on`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `${host} is no address of this machine (${error.code}): set HOST to one, or to 0.0.0.0`,
      );
    default:
      return error;
  }
};
