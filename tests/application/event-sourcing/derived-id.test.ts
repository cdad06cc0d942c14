import { expect, it } from 'vitest';
import { sha256 } from '../../../adapters/system/identity.ts';
import { derivedId } from '../../../application/event-sourcing/derived-id.ts';

it('never changes what names have been given: documents and keys are found by it', () => {
  expect(derivedId(sha256, 'source', 'a data source', 'https://example.com/')).toBe(
    'fd0ccb5d-09a2-893b-ad6a-9c878da92553',
  );
});
