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
 * Takes the network from this process, for ever: sockets, servers, datagrams and names. `fetch`, HTTP and TLS end at
 * these. Node's permissions do that from version 25 on; under Node 24 this is what there is, against a parser, say, that
 * follows an address in a document. New threads would begin with a whole network, and are refused too.
 */
export const disableNetwork = (): void => {
  Object.assign(net.Socket.prototype, { connect: refuse });
  Object.assign(net.Server.prototype, { listen: refuse });
  Object.assign(dgram, { createSocket: refuse });
  for (const method of ['bind', 'connect', 'send'] as const) {
    Object.assign(dgram.Socket.prototype, { [method]: refuse });
  }
  const resolvers = [dns.Resolver, dns.promises.Resolver].map(({ prototype }) => prototype as object);
  // What both inherit: `resolve4` and its like.
  for (const each of [...resolvers, ...resolvers.map((own) => Object.getPrototypeOf(own) as object)]) {
    if (each !== Object.prototype) refuseAll(each);
  }
  for (const each of [dns, dns.promises]) refuseAll(each);
  Object.assign(threads, { Worker: refuse });
  syncBuiltinESMExports();
};
