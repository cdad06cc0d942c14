import type { RedactionRule, Stage } from '../../domain/redaction/index.ts';
import type { Clock } from '../ports/identity.ts';
import type { RedactionPolicyView } from '../ports/redaction-policy-view.ts';
import type { TextPatternCompiler } from '../ports/compilers.ts';
import { type CompiledRules, compileRules } from './redactor.ts';

/** The combined, compiled rules of all policies of a tenant for one stage. */
export interface RulesInForce {
  readonly rules: readonly RedactionRule[];
  readonly compiled: CompiledRules;
}

export interface PoliciesInForce {
  /** Fails when the policies cannot be read: then the caller must neither show nor store texts. */
  readonly at: (tenant: string, stage: Stage) => Promise<RulesInForce>;
  /** Invalidates the cache. Called when the projection of policies has changed. */
  readonly clearCache: () => void;
}

/** How long a lookup is cached: the maximum delay until a change by another process applies. */
const CACHE_MS = 1_000;
const MAX_CACHED = 1_000;

export const createPoliciesInForce = ({
  view,
  patterns,
  clock,
}: {
  readonly view: RedactionPolicyView;
  readonly patterns: TextPatternCompiler;
  readonly clock: Clock;
}): PoliciesInForce => {
  type Known = { readonly found: RulesInForce; readonly written: string; readonly until: number };
  const cache = new Map<string, Known>();
  /** Lookups in progress. A caller shares one unless it has expired or the cache was invalidated since it started. */
  const pending = new Map<string, { readonly found: Promise<RulesInForce>; readonly until: number }>();
  let invalidations = 0;

  const lookUp = async (tenant: string, stage: Stage, until: number): Promise<RulesInForce> => {
    const key = `${stage} ${tenant}`;
    const since = invalidations;
    const rules = await view.rulesFor(tenant, stage);
    const written = JSON.stringify(rules);
    // Compiling costs more than reading, so unchanged rules are not compiled again.
    const before = cache.get(key);
    const found =
      before?.written === written ? before.found : { rules, compiled: compileRules(rules, patterns) };
    if (cache.size >= MAX_CACHED) cache.clear();
    // A lookup that started before an invalidation must not be cached.
    cache.set(key, { found, written, until: since === invalidations ? until : 0 });
    return found;
  };

  return {
    at: async (tenant, stage) => {
      const key = `${stage} ${tenant}`;
      const before = cache.get(key);
      if (before !== undefined && before.until > clock.now()) return before.found;
      const question = `${invalidations} ${key}`;
      const shared = pending.get(question);
      if (shared !== undefined && shared.until > clock.now()) return shared.found;
      const until = clock.now() + CACHE_MS;
      const lookup = { found: lookUp(tenant, stage, until), until };
      pending.set(question, lookup);
      try {
        return await lookup.found;
      } finally {
        if (pending.get(question) === lookup) pending.delete(question);
      }
    },
    clearCache: () => {
      invalidations += 1;
      for (const [key, entry] of cache) cache.set(key, { ...entry, until: 0 });
    },
  };
};
