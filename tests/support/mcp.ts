import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** How the official client may open a connection: with the handshake of the older revisions, or without any. */
export const REVISIONS = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
] as const;

export const NO_HANDSHAKE = REVISIONS[1][1];

/** A client of `/mcp`, connected. */
export const mcpClient = async (
  url: string,
  key: string,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, options);
  const requestInit = { headers: { 'x-api-key': key } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport);
  return client;
};

/** The text of a result of a tool. */
export const textOf = (result: { readonly content: unknown }): string =>
  (result.content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');

/** The error of the protocol that a call is refused with. */
export const refusalOf = async (
  call: Promise<unknown>,
): Promise<{ readonly code: unknown; readonly message: string }> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('the call was not refused');
  return { code: 'code' in error ? error.code : undefined, message: error.message };
};
