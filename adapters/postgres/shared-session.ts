import type pg from 'pg';

/** A connection that several use at the same time, for what belongs to a session. */
export interface Session {
  /**
   * Asks one statement, after those asked before it have ended: a connection does one at a time. Rejects when no
   * connection came about, and when the statement fails.
   */
  readonly ask: <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => Promise<Row[]>;
  /** Aborts when the connection breaks, did not come about, or is closed. */
  readonly lost: AbortSignal;
}

interface OpenSession extends Session {
  /** Never rejects. */
  readonly close: () => Promise<void>;
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
  const opened = new Map<Session, { session: OpenSession; users: number }>();
  let current: OpenSession | null = null;
  const enter = (): Session => {
    if (current === null || current.lost.aborted) {
      current = open(newClient(), settings);
      opened.set(current, { session: current, users: 0 });
    }
    opened.get(current)!.users += 1;
    return current;
  };
  const leave = async (session: Session): Promise<void> => {
    const entry = opened.get(session)!;
    entry.users -= 1;
    if (entry.users > 0) return;
    opened.delete(session);
    if (current === session) current = null;
    await entry.session.close();
  };
  return { enter, leave };
};

const open = (client: pg.Client, settings: string): OpenSession => {
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('the connection to the database ended')));
  const connect = async (): Promise<void> => {
    try {
      await client.connect();
      await client.query(settings);
    } catch (error) {
      lost.abort(error);
      await client.end().catch(() => {});
      throw error;
    }
  };
  const connected = connect();
  let last: Promise<unknown> = connected;
  connected.catch(() => {}); // whoever uses it is told
  return {
    ask: async <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => {
      const turn = last.catch(() => {}).then(() => connected);
      const answer = turn.then(() => client.query<Row>(sql, [...values]));
      last = answer;
      return (await answer).rows;
    },
    close: () => connected.then(() => client.end()).catch(() => {}),
    lost: lost.signal,
  };
};
