import pg from 'pg';

export interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: Error) => void;
}

/** The parts of the driver that its own cursor is built on as well. */
interface Wire {
  readonly stream: { readonly cork: () => void; readonly uncork: () => void };
  readonly sync: () => void;
}
interface Query {
  readonly submit: (wire: Wire) => Error | null;
  readonly handleRowDescription: (message: unknown) => void;
  readonly handleDataRow: (message: unknown) => void;
  readonly handleCommandComplete: (message: unknown, wire: Wire) => void;
  readonly handleReadyForQuery: (wire: Wire) => void;
  readonly handleError: (error: Error, wire: Wire) => void;
}

/**
 * Statements for `client.query` that go to the server in one write, and are answered one after the other. The server
 * passes over whatever comes behind one that fails, so these fail with it: a statement never runs without those before
 * it, BEGIN among them. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 *
 * `onEnd`: called once all of them have their answers.
 */
export const statementsTogether = (
  asked: readonly Asked[],
  types: pg.CustomTypesConfig,
  onEnd: () => void,
): pg.Submittable => {
  /** Of the one whose values cannot be sent. */
  let refusal: Error | null = null;
  const queries = asked.map(({ text, values, resolve, reject }) => {
    const settle = (error: Error | null, result: pg.QueryResult): void => {
      if (error === null || error === undefined) return resolve(result);
      refusal ??= error;
      reject(error);
    };
    const config = { text, values: [...values], types, queryMode: 'extended' };
    return new pg.Query(config, settle as never) as unknown as Query;
  });
  let at = 0;
  const fail = (from: number, error: Error, wire: Wire): void => {
    for (const query of queries.splice(from)) query.handleError(error, wire);
  };
  const answered = (wire: Wire): void => {
    queries[at]!.handleReadyForQuery(wire);
    at += 1;
  };
  const together = {
    submit: (wire: Wire): null => {
      // Each would end the series by itself, and the next would then run whatever became of it.
      const part = Object.create(wire, { sync: { value: () => {} } }) as Wire;
      wire.stream.cork();
      for (const [index, query] of queries.entries()) {
        refusal = query.submit(part) ?? refusal;
        if (refusal !== null) {
          fail(index, refusal, wire);
          break;
        }
      }
      wire.sync();
      wire.stream.uncork();
      return null;
    },
    handleRowDescription: (message: unknown) => queries[at]!.handleRowDescription(message),
    handleDataRow: (message: unknown) => queries[at]!.handleDataRow(message),
    handleCommandComplete: (message: unknown, wire: Wire) => {
      queries[at]!.handleCommandComplete(message, wire);
      answered(wire);
    },
    handleEmptyQuery: answered,
    handleReadyForQuery: onEnd,
    // Nothing more is told of them after an error; the driver sends what comes next when the server is ready.
    handleError: (error: Error, wire: Wire) => {
      fail(at, error, wire);
      onEnd();
    },
  };
  return together;
};
