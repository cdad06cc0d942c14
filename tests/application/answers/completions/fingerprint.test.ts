import { expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { fingerprintsOf } from '../../../../application/answers/completions/once.ts';
import { request } from '../../../support/completions.ts';

const raw = { logic: 'AND', filters: [{ key: 'teamName', operator: 'eq', val: 'a' }] };
const asked = request({
  filter: { limit: 8, onSources: [{ name: 'metadata', raw }] } as never,
  principalId: 'jo',
});

it('a request is kept under the names that callers use', () => {
  const [first] = fingerprintsOf(sha256, asked);
  const written = request({ filter: { limit: 8, metadata: raw } as never, principalId: 'jo' });
  expect(fingerprintsOf(sha256, written)).toEqual([first]);
});

it('a request that an earlier version kept with its filters under their places is known again', () => {
  // Letter by letter as that version wrote it.
  const before =
    '{"citation":true,"filter":{"limit":8,"onSources":[{"name":"metadata","raw":{"filters":[{"key":"teamName",' +
    '"operator":"eq","val":"a"}],"logic":"AND"}}]},"grounding":false,"limit":8,"messages":[{"content":"What are the facts?",' +
    '"role":"user"}],"principal_id":"jo","regenerate":false,"truncation":"auto","use_postfilter":false}';
  expect(fingerprintsOf(sha256, asked)).toHaveLength(2);
  expect(fingerprintsOf(sha256, asked)[1]).toBe(sha256.sha256(before));
});
