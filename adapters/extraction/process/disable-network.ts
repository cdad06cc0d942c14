import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads from 'node:worker_threads';

const refuse = (): never => {
  throw Object.assign(new Error('this process has no network'), { code: 'ERR_ACCESS_DENIED' });
};

const refuseAll = (of: object): void => {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
    if (typeof value === 'function' && name !== 'constructor') Object.assign(of, { [name]: refuse });
  }
};

/**
 * Disables the network of this process permanently: sockets, servers, datagrams and name resolution. `fetch`, HTTP and
 * TLS depend on these. From Node 25 on, Node's permissions do this; under Node 24 this is the only protection against,
 * for example, a parser that follows a URL in a document. New threads would have network access, so they are refused
 * too.
 */
export const disableNetwork = (): void => {
  Object.assign(net.Socket.prototype, { connect: refuse });
  Object.assign(net.Server.prototype, { listen: refuse });
  Object.assign(dgram, { createSocket: refuse });
  for (const method of ['bind', 'connect', 'send'] as const) {
    Object.assign(dgram.Socket.prototype, { [method]: refuse });
  }
  const resolvers = [dns.Resolver, dns.promises.Resolver].map(({ prototype }) => prototype as object);
  // The methods that both inherit: `resolve4` and the like.
  for (const each of [...resolvers, ...resolvers.map((own) => Object.getPrototypeOf(own) as object)]) {
    if (each !== Object.prototype) refuseAll(each);
  }
  for (const each of [dns, dns.promises]) refuseAll(each);
  Object.assign(threads, { Worker: refuse });
  syncBuiltinESMExports();
};
