import { setTimeout as wait } from 'node:timers/promises';
import { type Client, errors } from '@opensearch-project/opensearch';

interface Sent<Answer> extends Promise<Answer> {
  readonly abort: () => void;
}

/** How long a node that gave no answer is asked after the others. */
const RESTS_MS = 10_000;
/**
 * Requests that may be sent beside others in excess: some at once, and then one for each ten, so that a cluster which
 * is slow because it has much to do is not given more than a tenth on top.
 */
const [AT_ONCE, FOR_EACH] = [100, 0.1];

/** The nodes of a cluster, of which each may answer for all. */
export const createNodes = (clients: readonly Client[]) => {
  const restsUntil = new Map<Client, number>();
  const rest = (node: Client): void => void restsUntil.set(node, performance.now() + RESTS_MS);
  const rests = (node: Client): boolean => (restsUntil.get(node) ?? 0) > performance.now();
  let turn = 0;
  let excess = AT_ONCE;
  const inTurn = (): readonly Client[] => {
    turn = (turn + 1) % clients.length;
    const all = [...clients.slice(turn), ...clients.slice(0, turn)];
    return [...all.filter((node) => !rests(node)), ...all.filter(rests)];
  };
  return {
    /**
     * The first answer of a node, or the last error when all that were asked have failed. Each is asked twice: one that
     * waits for a silent copy of a shard takes another copy then.
     *
     * @param anotherAfterMs when the next node is asked too, while nothing was answered; never without it
     */
    ask: async <Answer>(send: (node: Client) => Sent<Answer>, anotherAfterMs?: number): Promise<Answer> => {
      const nodes = inTurn();
      const all = nodes.length > 1 && anotherAfterMs !== undefined ? [...nodes, ...nodes] : nodes.slice(0, 1);
      excess = Math.min(AT_ONCE, excess + FOR_EACH);
      const asked: Sent<Answer>[] = [];
      const open = new Set<Sent<Answer>>();
      const over = new AbortController();
      try {
        for (const node of all) {
          const sent = send(node);
          asked.push(sent);
          open.add(sent);
          sent
            .then(
              () => restsUntil.delete(node),
              (error: unknown) => {
                if (!over.signal.aborted && !(error instanceof errors.ResponseError)) rest(node);
              },
            )
            .finally(() => open.delete(sent));
          if (asked.length === all.length || excess < 1) break;
          const isLate = wait(anotherAfterMs, true, { signal: over.signal });
          const isSettled = Promise.any(asked).then(
            () => false,
            () => false,
          );
          if (!(await Promise.race([isSettled, isLate]))) break;
          rest(node);
          excess -= 1;
        }
        return await Promise.any(asked);
      } catch (error) {
        throw error instanceof AggregateError ? error.errors.at(-1) : error;
      } finally {
        // A reason that is given saves the stack of another one.
        over.abort('answered');
        for (const sent of open) sent.abort();
      }
    },
    close: async (): Promise<void> => void (await Promise.all(clients.map((client) => client.close()))),
  };
};
