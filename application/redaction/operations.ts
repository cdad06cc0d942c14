import { checkRules, redactionPolicy, type RedactionRule, type Stage } from '../../domain/redaction/index.ts';
import { fold } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import { type IdempotentDeps, type Written, idempotently } from '../event-sourcing/idempotent.ts';
import { rowIn, withRow } from '../read-models/with-row.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import type { Position } from '../ports/event-store.ts';
import type { RedactionPolicyView, RedactionPolicyRow } from '../ports/redaction-policy-view.ts';
import type { RowOverlay } from '../ports/read-your-writes.ts';
import type { TextPatternCompiler } from '../ports/compilers.ts';
import { redactionPolicyStream } from '../event-sourcing/streams.ts';
import { compileRules, redact, type Redacted } from './redactor.ts';
import { redactionPolicyRow } from '../read-models/redaction-policy-row.ts';

/** Redaction policies with their row, for operations that return the record. */
const policyWithRow = withRow(redactionPolicy, redactionPolicyRow);

interface RedactionPolicyRequest {
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
}

export interface RedactionPolicyDeps extends IdempotentDeps {
  readonly view: RedactionPolicyView;
  readonly patterns: TextPatternCompiler;
  readonly overlay: RowOverlay;
  /** Clears this process's cache of policies. */
  readonly clearCache: () => void;
}

/** Maximum policies per tenant: every text is checked against all rules in force. */
const MAX_POLICIES = 100;

/**
 * Operations on redaction policies. A policy applies to the whole tenant, so keys that are restricted to source groups
 * are refused with DomainError key_restricted.
 */
export const createRedactionPolicyOperations = (deps: RedactionPolicyDeps) => {
  const { execute, view, patterns, clock, overlay } = deps;
  const allow = (caller: Caller): void => mustBeUnrestricted(caller, 'a redaction policy');

  /**
   * Applies the policy in this process from now on, and in other processes within a second, when their caches expire.
   */
  const enforce = async (row: RedactionPolicyRow, position: Position): Promise<void> => {
    await overlay.put('redaction_policy', row, position);
    deps.clearCache();
  };

  const get = async (caller: Caller, id: string): Promise<RedactionPolicyRow> => {
    allow(caller);
    const row = await (caller.past?.redactionPolicies ?? view).get(caller.tenant, id);
    if (row === null) throw noSuch();
    return row;
  };

  return {
    get,

    /** @throws DomainError pattern_invalid, invalid_request, idempotency_conflict; conflict beyond 100 policies */
    create: async (
      caller: Caller,
      request: RedactionPolicyRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<RedactionPolicyRow>> => {
      allow(caller);
      checkRules(request.rules);
      compileRules(request.rules, patterns);
      const body = { operation: 'createRedactionPolicy', key: idempotencyKey, body: request };
      return idempotently(deps, body, 1, caller.context, async ({ ids, at, replayed }) => {
        if (!replayed) await mustHaveRoom(view, caller.tenant);
        const id = ids[0] as string;
        const stream = redactionPolicyStream(id);
        const command = { type: 'create', ...request, at } as const;
        const done = await execute(redactionPolicy, stream, command, caller.context);
        // A repeated request gets the first response.
        const first = fold(
          policyWithRow,
          policyWithRow.decide(command, policyWithRow.initial),
          policyWithRow.initial,
        );
        const record = rowOf(first, id, caller.tenant);
        await enforce(record, done.position);
        return { record, position: done.position, changed: done.events.length > 0 };
      });
    },

    /** Newest first. @throws DomainError invalid_cursor */
    list: async (caller: Caller, page: PageRequest): Promise<Page<RedactionPolicyRow>> => {
      allow(caller);
      return (caller.past?.redactionPolicies ?? view).list(caller.tenant, page);
    },

    /** Replaces the whole policy. @throws DomainError pattern_invalid, invalid_request */
    change: async (
      caller: Caller,
      id: string,
      request: RedactionPolicyRequest,
    ): Promise<Written<RedactionPolicyRow>> => {
      allow(caller);
      checkRules(request.rules);
      compileRules(request.rules, patterns);
      const command = { type: 'change', ...request, at: clock.now() } as const;
      const done = await execute(policyWithRow, redactionPolicyStream(id), command, caller.context);
      const record = rowOf(done.state, id, caller.tenant);
      await enforce(record, done.position);
      return { record, position: done.position, changed: done.events.length > 0 };
    },

    remove: async (caller: Caller, id: string): Promise<Written<string>> => {
      allow(caller);
      const command = { type: 'delete', at: clock.now() } as const;
      const done = await execute(policyWithRow, redactionPolicyStream(id), command, caller.context);
      const row = rowIn(done.state, id, caller.tenant);
      if (row === null) throw noSuch();
      await enforce(row, done.position);
      return { record: id, position: done.position, changed: true };
    },

    /** Applies the policy to a text. Nothing is stored. */
    test: async (caller: Caller, id: string, text: string): Promise<Redacted> =>
      redact(text, compileRules((await get(caller, id)).rules, patterns)),

    /** Applies rules that no policy has yet. Nothing is stored. @throws DomainError pattern_invalid, invalid_request */
    testRules: async (caller: Caller, rules: readonly RedactionRule[], text: string): Promise<Redacted> => {
      allow(caller);
      checkRules(rules);
      return redact(text, compileRules(rules, patterns));
    },
  };
};
export type RedactionPolicyOperations = ReturnType<typeof createRedactionPolicyOperations>;

const noSuch = (): DomainError => new DomainError('not_found', 'there is no such redaction policy');

/** @throws DomainError conflict */
const mustHaveRoom = async (view: RedactionPolicyView, tenant: string): Promise<void> => {
  const { total } = await view.list(tenant, { limit: 1 });
  if (total >= MAX_POLICIES) throw new DomainError('conflict', `there are ${MAX_POLICIES} policies already`);
};

const rowOf = (state: (typeof policyWithRow)['initial'], id: string, tenant: string): RedactionPolicyRow => {
  const row = rowIn(state, id, tenant);
  if (row === null || row.deleted) throw noSuch();
  return row;
};
