import type { RedactionRule, Stage } from '../../domain/redaction/index.ts';
import type { Clock } from '../ports/identity.ts';
import type { RedactionPolicyView } from '../ports/redaction-policy-view.ts';
import type { TextPatterns } from '../ports/compilers.ts';
import { type CompiledRules, compileRules } from './redactor.ts';

/** What is in force for a tenant at a stage: the rules of all its policies together, ready to be applied. */
export interface RulesInForce {
  readonly rules: readonly RedactionRule[];
  readonly compiled: CompiledRules;
}

export interface PoliciesInForce {
  /** Fails when the policies cannot be read: whoever asks must then show and store nothing. */
  readonly at: (tenant: string, stage: Stage) => Promise<RulesInForce>;
  /** Forgets every look-up: called when the projection of policies has moved. */
  readonly forget: () => void;
}

/** How long a look-up may be reused: what another process changed is in force after this at the latest. */
const REUSE_MS = 1_000;
const MOST = 1_000;

export const createPoliciesInForce = ({
  view,
  patterns,
  clock,
}: {
  readonly view: RedactionPolicyView;
  readonly patterns: TextPatterns;
  readonly clock: Clock;
}): PoliciesInForce => {
  type Known = { readonly found: RulesInForce; readonly written: string; readonly until: number };
  const known = new Map<string, Known>();
  /** Under way. Who asks later than it could be reused, or after the word to forget, gets a look-up of their own. */
  const asked = new Map<string, { readonly found: Promise<RulesInForce>; readonly until: number }>();
  let forgotten = 0;

  const lookUp = async (tenant: string, stage: Stage, until: number): Promise<RulesInForce> => {
    const key = `${stage} ${tenant}`;
    const since = forgotten;
    const rules = await view.rulesFor(tenant, stage);
    const written = JSON.stringify(rules);
    // Compiling costs more than reading: what is as before is not compiled again.
    const before = known.get(key);
    const found =
      before?.written === written ? before.found : { rules, compiled: compileRules(rules, patterns) };
    if (known.size >= MOST) known.clear();
    // What was read before the view moved must not outlive the word to forget.
    known.set(key, { found, written, until: since === forgotten ? until : 0 });
    return found;
  };

  return {
    at: async (tenant, stage) => {
      const key = `${stage} ${tenant}`;
      const before = known.get(key);
      if (before !== undefined && before.until > clock.now()) return before.found;
      const question = `${forgotten} ${key}`;
      const together = asked.get(question);
      if (together !== undefined && together.until > clock.now()) return together.found;
      const until = clock.now() + REUSE_MS;
      const looking = { found: lookUp(tenant, stage, until), until };
      asked.set(question, looking);
      try {
        return await looking.found;
      } finally {
        if (asked.get(question) === looking) asked.delete(question);
      }
    },
    forget: () => {
      forgotten += 1;
      for (const [key, entry] of known) known.set(key, { ...entry, until: 0 });
    },
  };
};
