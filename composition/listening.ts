import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from './environment.ts';

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
