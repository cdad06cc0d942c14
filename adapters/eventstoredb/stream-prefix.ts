import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection } from './connection.ts';
import type { ReadMessage } from './messages.ts';
import { NO_SYSTEM_EVENTS } from './read-requests.ts';

/**
 * A connection whose reads name streams without `prefix`. Records of streams without it keep their position, and have
 * no type: to this adapter they are another program's.
 */
export const prefixedReads = (connection: Connection, prefix: string): Connection => {
  if (prefix === '') return connection;
  return {
    ...connection,
    read: async function* read(request, limits) {
      for await (const messages of connection.read(prefixed(request, prefix), limits))
        yield messages.map((message) => named(message, prefix));
    },
  };
};

const named = (message: ReadMessage, prefix: string): ReadMessage => {
  const { record } = message;
  if (record === null) return message;
  return record.stream.startsWith(prefix)
    ? { ...message, record: { ...record, stream: record.stream.slice(prefix.length) } }
    : { ...message, record: { ...record, type: '' } };
};

const prefixed = (request: ReadReq, prefix: string): ReadReq => {
  const changed = request.cloneMessage();
  const options = changed.getOptions()!;
  const stream = options.getStream()?.getStreamIdentifier();
  if (stream) {
    const name = Buffer.from(stream.getStreamName_asU8()).toString('utf8');
    // The metadata of a stream is in the stream `$$name`.
    const full = name.startsWith('$$') ? `$$${prefix}${name.slice(2)}` : `${prefix}${name}`;
    stream.setStreamName(Buffer.from(full, 'utf8'));
  }
  const filter = options.getFilter();
  const categories = filter?.getStreamIdentifier();
  categories?.setPrefixList(categories.getPrefixList().map((category) => `${prefix}${category}`));
  const types = filter?.getEventType();
  // Among all events but the server's own, the server leaves out those of others too.
  if (filter && types?.getRegex() === NO_SYSTEM_EVENTS) {
    types.setRegex('');
    types.setPrefixList([prefix]);
    filter.clearEventType();
    filter.setStreamIdentifier(types);
  }
  return changed;
};
