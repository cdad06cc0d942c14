import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';
import { refuse } from './connection-options.ts';
import type { StoreAddress } from './connection-string.ts';

/** @throws InvalidConnectionString for certificate files that cannot be read or are none */
export const channelCredentials = (tls: StoreAddress['tls']): ChannelCredentials => {
  if (tls === null) return credentials.createInsecure();
  const [authority, key, certificate] = [tls.authority, tls.key, tls.certificate].map(fileOf) as [
    Buffer | null,
    Buffer | null,
    Buffer | null,
  ];
  try {
    return credentials.createSsl(authority, key, certificate);
  } catch {
    return refuse('a certificate file that it names holds no certificate or no key');
  }
};

const fileOf = (path: string | undefined): Buffer | null => {
  try {
    return path === undefined ? null : readFileSync(path);
  } catch {
    return refuse('a certificate file that it names cannot be read');
  }
};

/** What goes with each call. Without TLS no user is sent: anybody could read the password on its way. */
export const headersOf = ({ tls, credentials: user, connectionName }: StoreAddress): Metadata => {
  const headers = new Metadata();
  headers.set('requires-leader', 'true');
  if (connectionName !== undefined) headers.set('connection-name', connectionName);
  if (tls !== null && user !== undefined) {
    const { username, password } = user;
    headers.set('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  }
  return headers;
};

/** Where the library makes a connection out of an open socket; it calls the member its own. */
const CONNECTOR = '_createSecureConnector';

/**
 * The same, and each socket is told of as soon as it is open. The library keeps a connection that hangs while it is made
 * for ever, even when its channel is closed; with the socket it can be ended.
 */
export const tellingSockets = (
  given: ChannelCredentials,
  onSocket: (socket: Socket) => void,
): ChannelCredentials => {
  const telling = Object.create(given) as ChannelCredentials;
  telling[CONNECTOR] = (...args) => {
    const connector = given[CONNECTOR](...args);
    const connect = connector.connect.bind(connector);
    connector.connect = (socket) => {
      onSocket(socket);
      return connect(socket);
    };
    return connector;
  };
  return telling;
};
