import type pg from 'pg';
import { type Asked, statementsTogether } from './statements-together.ts';

/** What is asked on one connection within one transaction. */
export interface Conversation {
  /** The transaction begins with the next statement. */
  readonly begin: () => void;
  /** Sends the statement with all that are asked for in the same turn, or while the ones before are under way. */
  readonly ask: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;
  /**
   * Behind everything that was asked. Nothing may be asked any more.
   *
   * @throws the first failure of a statement, where nothing could be committed
   */
  readonly end: (how: 'commit' | 'rollback') => Promise<void>;
  /** Of the first statement that failed. */
  readonly failure: () => Error | undefined;
}

export const createConversation = (client: pg.PoolClient): Conversation => {
  const types = { getTypeParser: client.getTypeParser.bind(client) };
  let waiting: Asked[] = [];
  let [isUnderWay, isOver] = [false, false];
  let failure: Error | undefined;

  const send = (): void => {
    if (isUnderWay || waiting.length === 0) return;
    isUnderWay = true;
    const together = statementsTogether(waiting, types, () => {
      isUnderWay = false;
      send();
    });
    waiting = [];
    client.query(together);
  };
  const put = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> =>
    new Promise((resolve, reject) => {
      const failed = (error: Error): void => {
        failure ??= error;
        reject(error);
      };
      waiting.push({ text, values, resolve, reject: failed });
    });
  const ask = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const answer = put(text, values);
    // After all that is ready to run has run: it may ask for more.
    process.nextTick(send);
    return answer;
  };

  return {
    begin: () => void put('begin', []).catch(() => {}),
    ask: (text, values) => {
      if (isOver) return Promise.reject(new Error('the transaction has ended'));
      return ask(text, values);
    },
    end: async (how) => {
      isOver = true;
      // The server does not know of values that could not be sent.
      if (how === 'commit' && failure !== undefined) throw failure;
      const { command } = await ask(how, []);
      if (how === 'commit' && command !== 'COMMIT')
        throw failure ?? new Error(`answered ${command} to COMMIT`);
    },
    failure: () => failure,
  };
};
