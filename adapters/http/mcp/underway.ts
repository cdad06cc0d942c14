/** Calls that are being answered in this process, so that who asked may take them back. */
export interface Underway {
  /**
   * Names the call of a client until it is over. Calls without a session cannot be told from those of others with the
   * same key, and are not named.
   */
  readonly begin: (call: CallName, cancel: () => void) => { readonly over: () => void };
  /** Does nothing where there is no such call, as where another process answers it. */
  readonly cancel: (call: CallName) => void;
}
export interface CallName {
  readonly keyId: string;
  /** What the service has called the session; undefined: the client told none. */
  readonly session: string | undefined;
  readonly requestId: unknown;
}

export const createUnderway = (): Underway => {
  const calls = new Map<string, () => void>();
  const nameOf = ({ keyId, session, requestId }: CallName): string | null => {
    const isId = typeof requestId === 'string' || typeof requestId === 'number';
    return session === undefined || !isId ? null : JSON.stringify([keyId, session, requestId]);
  };
  return {
    begin: (call, cancel) => {
      const name = nameOf(call);
      if (name === null) return { over: () => {} };
      calls.set(name, cancel);
      return { over: () => void (calls.get(name) === cancel && calls.delete(name)) };
    },
    cancel: (call) => calls.get(nameOf(call) ?? '')?.(),
  };
};
