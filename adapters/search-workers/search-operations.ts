import type { CatalogScope } from '../../application/ports/catalog.ts';
import type { CompiledRules } from '../../application/redaction/redactor.ts';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { SearchRequest } from '../../application/search/retrieval-filter.ts';
import type { RetrieveSerialised, ResultContext } from '../../application/search/serialised-search.ts';
import type { RedactionRule } from '../../domain/redaction/index.ts';
import type { FromThread, ToThread } from './messages.ts';
import { sentError } from './sent-error.ts';
import { parentPort } from 'node:worker_threads';

/** Sent with each search. */
interface WithRules {
  /** Rules that redact the contents. */
  readonly rules: readonly RedactionRule[];
}
export interface RetrieveInput extends WithRules {
  readonly scope: CatalogScope;
  readonly request: SearchRequest;
}
export interface RetrieveSerialisedInput extends WithRules {
  readonly planned: Parameters<RetrieveSerialised>[0];
  readonly context: ResultContext;
}

/** The redaction rules of running searches: each search has its own scope. */
export interface SearchRules {
  readonly keep: (scope: CatalogScope, rules: readonly RedactionRule[]) => void;
  /** Rejects for a scope without rules: nothing is shown then. */
  readonly of: (scope: CatalogScope) => Promise<CompiledRules>;
}

/** Maximum number of compiled rule sets in memory. */
const MAX_COMPILED = 100;

export const createSearchRules = (
  compile: (rules: readonly RedactionRule[]) => CompiledRules,
): SearchRules => {
  const compiledByKey = new Map<string, CompiledRules>();
  const rulesByScope = new WeakMap<CatalogScope, CompiledRules>();
  const compiled = (rules: readonly RedactionRule[]): CompiledRules => {
    const key = JSON.stringify(rules);
    const found = compiledByKey.get(key) ?? compile(rules);
    if (compiledByKey.size >= MAX_COMPILED) compiledByKey.clear();
    compiledByKey.set(key, found);
    return found;
  };
  return {
    keep: (scope, rules) => void rulesByScope.set(scope, compiled(rules)),
    of: async (scope) => {
      const rules = rulesByScope.get(scope);
      if (rules === undefined) throw new Error('the search came without its redaction rules');
      return rules;
    },
  };
};

/**
 * The operations of a search thread.
 *
 * @param rules receives the redaction rules of each search
 */
export const searchOperations = (
  rules: Pick<SearchRules, 'keep'>,
  {
    retrieve,
    retrieveSerialised,
  }: { readonly retrieve: Retrieve; readonly retrieveSerialised: RetrieveSerialised },
): Operations => ({
  retrieve: async (input: RetrieveInput) => {
    rules.keep(input.scope, input.rules);
    return retrieve(input.scope, input.request);
  },
  retrieveSerialised: async ({ planned, context, rules: ofTenant }: RetrieveSerialisedInput) => {
    rules.keep(planned.scope, ofTenant);
    return retrieveSerialised(planned, context);
  },
});

/** The operations of a thread, by name. */
export type Operations = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Makes this thread answer the requests of its pool, any number concurrently, until the pool ends it. */
export const serveRequests = (operations: Operations, end: () => Promise<void>): void => {
  const port = parentPort;
  if (port === null) throw new Error('this is not a worker thread');
  const handleRequest = async (id: number, operation: string, input: unknown): Promise<void> => {
    try {
      const run = operations[operation];
      if (run === undefined) throw new Error(`unknown operation of a thread: ${operation}`);
      const found = await run(input as never);
      if (found instanceof Uint8Array) sendBytes(id, found);
      else port.postMessage({ kind: 'result', id, result: found } satisfies FromThread);
    } catch (error) {
      port.postMessage({ kind: 'failure', id, error: sentError(error) } satisfies FromThread);
    }
  };
  /**
   * Transfers the bytes in their own buffer: transferring a view would transfer the whole buffer behind it.
   */
  const sendBytes = (id: number, bytes: Uint8Array): void => {
    const copy = new Uint8Array(bytes.length);
    copy.set(bytes);
    port.postMessage({ kind: 'result', id, result: copy } satisfies FromThread, [copy.buffer]);
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'request') void handleRequest(message.id, message.operation, message.input);
    else if (message.kind === 'probe') port.postMessage({ kind: 'alive' } satisfies FromThread);
    else void end().finally(() => port.close());
  });
  port.postMessage({ kind: 'ready' } satisfies FromThread);
};
