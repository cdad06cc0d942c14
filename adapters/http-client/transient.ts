/** Of connections: certificates, answers that are no HTTP, unknown names, an agent that was closed. */
const PERMANENT_CODES =
  /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HPE_|ENOTFOUND|UND_ERR_(?:DESTROYED|CLOSED|INVALID))/;

/** Whether an answer with this status may be another one later: 408, 425, 429 and 5xx, but for those that say "never". */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505);

/** What may be told of an error of the connection, as undici and node:net give it: their messages hold addresses. */
export const connectionFault = (error: unknown): { readonly word: string; readonly isTransient: boolean } => {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: string };
  const word = typeof code === 'string' ? code : (name ?? 'unknown');
  return { word, isTransient: !PERMANENT_CODES.test(word) };
};
