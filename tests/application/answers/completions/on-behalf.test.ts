import { describe, expect, it } from 'vitest';
import { createComplete } from '../../../../application/answers/completions/complete.ts';
import type { CompletionDeps } from '../../../../application/answers/completions/completion-deps.ts';
import { CALLER, completions, request, scripted } from '../../../support/completions.ts';

describe('what a completion finds', () => {
  it.each([{ authzPolicy: 'mine', principalId: 'jo' }, { principalId: null }])(
    'is searched for by the policy and on behalf of the principal of the request: %j',
    async (asked) => {
      const { deps } = completions(scripted('As [1] says.'));
      const behalves: unknown[] = [];
      const search: CompletionDeps['search'] = (caller, wanted, behalf) => {
        behalves.push(behalf);
        return deps.search(caller, wanted, behalf);
      };
      await createComplete({ ...deps, search })(CALLER, request(asked), new AbortController().signal);
      expect(behalves).toEqual([asked]);
    },
  );
});
