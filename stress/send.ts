import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../tests/support/client.ts';
import type { Command, Sent, Try } from './commands.ts';
import type { Found } from './faults.ts';
import type { Fleet } from './fleet.ts';
import type { Random } from './random.ts';

export interface SendDeps {
  readonly fleet: Pick<Fleet, 'anyApi'>;
  readonly random: Random;
  readonly found: Found;
}

const ANSWER_MS = 30_000;
const TRIES = 60;
/** What the state of a resource, or a rival, may refuse; everything else should not happen here. */
const REFUSALS = [404, 409];

/** Sends a command to any API process until it is answered: a cut connection, and 503, is tried again with the same key. */
export const send = async (deps: SendDeps, command: Command): Promise<Sent> => {
  const tries: Try[] = [];
  while (tries.length < TRIES) {
    const traceId = deps.random.hex(32);
    const answer = await request(deps, command, traceId);
    tries.push({ traceId, status: answer?.status ?? null });
    if (answer !== null && answer.status < 500) {
      const { status, body } = answer;
      const refused =
        status >= 300 && (!REFUSALS.includes(status) || body.error?.type === 'idempotency_conflict');
      if (refused) deps.found.unexpected.push(`${told(command)} answered ${status}: ${JSON.stringify(body)}`);
      return { command, tries, answer: { status, body, position: answer.headers.get('x-position') } };
    }
    if (answer !== null && answer.status !== 503)
      deps.found.unexpected.push(
        `${told(command)} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    await pause(deps.random.between(50, 250));
  }
  deps.found.unexpected.push(`${told(command)} was never answered`);
  return { command, tries, answer: null };
};

const request = async (deps: SendDeps, command: Command, traceId: string): Promise<Answer | null> => {
  const service = await deps.fleet.anyApi(deps.random);
  const headers = {
    traceparent: `00-${traceId}-${deps.random.hex(15)}1-01`,
    ...(command.idempotencyKey !== undefined && { 'idempotency-key': command.idempotencyKey }),
  };
  const late = new AbortController();
  const timeout = pause(ANSWER_MS, 'late' as const, { signal: late.signal, ref: false }).catch(() => null);
  try {
    const asked = service.api(command.method, command.path, command.body, headers).catch(() => null);
    const answer = await Promise.race([asked, timeout]);
    if (answer !== 'late') return answer;
    deps.found.unexpected.push(`${told(command)} had no answer in ${ANSWER_MS} ms`);
    return null;
  } finally {
    late.abort();
  }
};

export const told = ({ method, path }: Command): string => `${method} ${path}`;
