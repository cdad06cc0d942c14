import type pg from 'pg';

/** A connection that several use at the same time, for what belongs to a session. */
export interface Session {
  /** Connected. Rejects when no connection came about. */
  readonly client: Promise<pg.Client>;
  /** Aborts when the connection breaks, did not come about, or is closed. */
  readonly lost: AbortSignal;
}

export interface SharedSession {
  /** The session that others use, or else a new one. */
  readonly enter: () => Session;
  /** To be called once for each `enter`: the last one closes the connection. Never rejects. */
  readonly leave: (session: Session) => Promise<void>;
}

/**
 * One connection for all who need a session, as long as anybody does; a new one once it broke.
 *
 * @param settings a statement that each connection begins with
 */
export const createSharedSession = (newClient: () => pg.Client, settings: string): SharedSession => {
  const users = new Map<Session, number>();
  let current: Session | null = null;
  const enter = (): Session => {
    if (current === null || current.lost.aborted) current = open(newClient(), settings);
    users.set(current, (users.get(current) ?? 0) + 1);
    return current;
  };
  const leave = async (session: Session): Promise<void> => {
    const left = users.get(session)! - 1;
    users.set(session, left);
    if (left > 0) return;
    users.delete(session);
    if (current === session) current = null;
    await session.client.then((client) => client.end()).catch(() => {});
  };
  return { enter, leave };
};

const open = (client: pg.Client, settings: string): Session => {
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('the connection to the database ended')));
  const connect = async (): Promise<pg.Client> => {
    try {
      await client.connect();
      await client.query(settings);
      return client;
    } catch (error) {
      lost.abort(error);
      await client.end().catch(() => {});
      throw error;
    }
  };
  const connected = connect();
  connected.catch(() => {}); // whoever uses it is told
  return { client: connected, lost: lost.signal };
};
