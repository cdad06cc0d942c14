import type { Message } from './messages-in.ts';

const REVISION = 'io.modelcontextprotocol/protocolVersion';

/** What the handshake of the older revisions has settled; nothing before it, and nothing in those without one. */
export interface Handshake {
  revision?: string;
  session?: string;
}

/** What streamable HTTP wants in headers of what the message holds: in the revisions without a handshake, all of it. */
export const headersOf = ({ method, params }: Message, { revision, session }: Handshake) => {
  const claimed = (params?.['_meta'] as { readonly [name: string]: unknown } | undefined)?.[REVISION];
  const name = params?.['name'] ?? params?.['uri'];
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof claimed === 'string'
      ? {
          'mcp-protocol-version': claimed,
          ...(method !== undefined && { 'mcp-method': asHeader(method) }),
          ...(typeof name === 'string' && { 'mcp-name': asHeader(name) }),
        }
      : {
          ...(revision !== undefined && { 'mcp-protocol-version': revision }),
          ...(session !== undefined && { 'mcp-session-id': session }),
        }),
  };
};

/** As the protocol has it: what a header cannot hold stands there in Base64. */
const asHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith(SENTINEL)
    ? text
    : `${SENTINEL}${Buffer.from(text).toString('base64')}?=`;
const SENTINEL = '=?base64?';
