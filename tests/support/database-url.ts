import type { DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { tcpHost } from './tcp-host.ts';

/** As a service is told of it. */
export const urlOf = (address: DatabaseAddress): string => {
  if ('connectionString' in address) return address.connectionString;
  const { host, port, user, password, database } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@${tcpHost(host)}:${port}/${database}`;
};
