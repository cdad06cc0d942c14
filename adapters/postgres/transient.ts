/**
 * Classes of SQLSTATE that a retry may mend: connection, rolled back, resources, state of an object, intervention of an
 * operator, and a server that only reads. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const TRANSIENT_STATE = /^(08|40|53|55|57|25006)/;
/** Of the operating system; `ERR_…` are Node's own, and say that the call was wrong. */
const SYSTEM_CODE = /^E(?!RR_)/;
/** How the client words what has no code. Whole beginnings: a message may quote a text that somebody wrote. */
const CLIENT_MESSAGE =
  /^(Connection terminated|Client (has encountered|was closed)|Query read timeout|timeout (exceeded|expired)|The server does not support SSL|There was an error establishing an SSL)/;

/** Whether the same statement may work later: the server or the way to it is at fault, not the statement. */
export const isTransient = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return TRANSIENT_STATE.test(code) || SYSTEM_CODE.test(code);
  return typeof message === 'string' && CLIENT_MESSAGE.test(message);
};
