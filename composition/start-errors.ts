import { once } from 'node:events';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { ConfigError } from './config/environment.ts';

type Coded = Error & { readonly code?: string; readonly path?: string };

const FOLDER_PROBLEMS: { readonly [code: string]: string } = {
  EEXIST: 'is not a folder',
  ENOTDIR: 'is not a folder, or is below a file',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  EROFS: 'cannot be written',
  ENOENT: 'cannot be made',
};

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Turns an error of creating the data directory or its contents into one that names the variable to set; returns any
 * other error unchanged.
 */
export const dataDirError = (dataDir: string, error: unknown): unknown => {
  const { code = '', path } = error as Coded;
  if (FULL.has(code)) {
    return new ConfigError(
      `the disk of ${path ?? dataDir} is full (${code}): make room there, or set KNOWLEDGER_DATA_DIR to a folder on another`,
    );
  }
  const what = FOLDER_PROBLEMS[code];
  if (what === undefined || path === undefined || !isAlong(dataDir, path)) return error;
  return new ConfigError(
    `${path} ${what} (${code}): set KNOWLEDGER_DATA_DIR to a folder that this user may write`,
  );
};

/** Whether one path is inside the other. */
const isAlong = (one: string, other: string): boolean =>
  [relative(one, other), relative(other, one)].some((way) => !way.startsWith('..'));

/** The problem with a server, and the remedy. */
const SERVER_PROBLEMS: { readonly [code: string]: readonly [string, string] } = {
  ECONNREFUSED: ['nothing listens there', 'start it, or correct host and port'],
  ENOTFOUND: ['its host is not known', 'correct the host'],
  EAI_AGAIN: ['its host cannot be resolved now', 'look at the name service of this machine, or try again'],
  EHOSTUNREACH: ['its host is not reached', 'correct the host, or look at the network'],
  ETIMEDOUT: ['it does not answer', 'look at the server and at firewalls between, or correct host and port'],
  '28P01': ['it does not accept user and password', 'correct them, with % escapes for special characters'],
  '28000': ['it does not let the user in', 'correct the user, or let it in by pg_hba.conf'],
  '3D000': ['it has no database of that name', 'create it, or correct the name'],
};
const NO_PASSWORD = ['it wants a password', 'put it into the URL'] as const;

/**
 * Turns an error of connecting to the configured Postgres into one that names the variable and the address, and nothing
 * else of the URL; returns any other error unchanged.
 */
export const databaseUrlError = (error: unknown, databaseUrl: string): unknown => {
  const { code = '', message } = error as Coded;
  // pg has no code for a missing password.
  const known = SERVER_PROBLEMS[code] ?? (message.startsWith('SASL') ? NO_PASSWORD : undefined);
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
  /** The variable that sets the port. Default: PORT. */
  readonly variable?: string;
}

/**
 * Listens for a moment, so that an unusable address is reported before anything is started or created.
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

/** An error of listening with a remedy; the error itself when none is known. */
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
        `${host} is not an address of this machine (${error.code}): set HOST to one, or to 0.0.0.0`,
      );
    default:
      return error;
  }
};
