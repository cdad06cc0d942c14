import type { CatalogScope } from '../../application/ports/catalog.ts';
import type { LogFields } from '../../application/ports/logger.ts';
import type { CompiledRules } from '../../application/redaction/redactor.ts';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { SearchRequest } from '../../application/search/retrieval-filter.ts';
import type { RetrieveSerialised, ResultContext } from '../../application/search/serialised-search.ts';
import type { RedactionRule } from '../../domain/redaction/index.ts';
import type { FromThread, ToThread } from './messages.ts';
import { sentError } from './sent-error.ts';
import { parentPort } from 'node:worker_threads';

/** What comes with each search. */
interface Ruled {
  /** By which contents are redacted. */
  readonly rules: readonly RedactionRule[];
}
export interface RetrieveInput extends Ruled {
  readonly scope: CatalogScope;
  readonly request: SearchRequest;
}
export interface RetrieveSerialisedInput extends Ruled {
  readonly planned: Parameters<RetrieveSerialised>[0];
  readonly told: ResultContext;
}

/** Of the searches under way: each has a scope of its own. */
export interface RulesOfSearches {
  readonly keep: (scope: CatalogScope, rules: readonly RedactionRule[]) => void;
  /** Rejects for a scope that came without rules: nothing is shown then. */
  readonly of: (scope: CatalogScope) => Promise<CompiledRules>;
}

/** Sets of rules that stay compiled. */
const MOST = 100;

export const createRulesOfSearches = (
  compile: (rules: readonly RedactionRule[]) => CompiledRules,
): RulesOfSearches => {
  const known = new Map<string, CompiledRules>();
  const kept = new WeakMap<CatalogScope, CompiledRules>();
  const compiled = (rules: readonly RedactionRule[]): CompiledRules => {
    const key = JSON.stringify(rules);
    const found = known.get(key) ?? compile(rules);
    if (known.size >= MOST) known.clear();
    known.set(key, found);
    return found;
  };
  return {
    keep: (scope, rules) => void kept.set(scope, compiled(rules)),
    of: async (scope) => {
      const rules = kept.get(scope);
      if (rules === undefined) throw new Error('nobody said by which rules contents are redacted');
      return rules;
    },
  };
};

/** What a thread that searches does. @param rules those by which its contents are redacted */
export const searchAnswers = (
  rules: Pick<RulesOfSearches, 'keep'>,
  {
    retrieve,
    retrieveSerialised,
  }: { readonly retrieve: Retrieve; readonly retrieveSerialised: RetrieveSerialised },
): Operations => ({
  retrieve: async (input: RetrieveInput) => {
    rules.keep(input.scope, input.rules);
    return retrieve(input.scope, input.request);
  },
  retrieveSerialised: async ({ planned, told, rules: ofTenant }: RetrieveSerialisedInput) => {
    rules.keep(planned.scope, ofTenant);
    return retrieveSerialised(planned, told);
  },
});

/** What a thread does, by name. */
export type Operations = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Has this thread answer what its pool asks, any number of questions at a time, until the pool ends it. */
export const answerQuestions = (operations: Operations, end: () => Promise<void>): void => {
  const port = parentPort;
  if (port === null) throw new Error('this is no thread');
  const answer = async (id: number, operation: string, input: unknown): Promise<void> => {
    try {
      const act = operations[operation];
      if (act === undefined) throw new Error(`a thread knows no ${operation}`);
      const found = await act(input as never);
      if (found instanceof Uint8Array) sendBytes(id, found);
      else port.postMessage({ kind: 'answer', id, answer: found } satisfies FromThread);
    } catch (error) {
      port.postMessage({ kind: 'failure', id, error: sentError(error) } satisfies FromThread);
    }
  };
  /** Handed over in memory of their own: to send a part of a larger piece would send all of it. */
  const sendBytes = (id: number, bytes: Uint8Array): void => {
    const own = new Uint8Array(bytes.length);
    own.set(bytes);
    port.postMessage({ kind: 'answer', id, answer: own } satisfies FromThread, [own.buffer]);
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'question') void answer(message.id, message.operation, message.input);
    else if (message.kind === 'look') port.postMessage({ kind: 'alive' } satisfies FromThread);
    else void end().finally(() => port.close());
  });
  port.postMessage({ kind: 'ready' } satisfies FromThread);
};

/** Has the program log something. */
export const warnFromThread = (message: string, fields: LogFields = {}): void =>
  parentPort?.postMessage({ kind: 'warning', message, fields } satisfies FromThread);
