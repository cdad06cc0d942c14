import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkModelPackages, MODEL_PACKAGES } from '../../../adapters/local-model/packages.ts';

const MANIFEST = new URL('../../../package.json', import.meta.url);

it('names the packages that models of this machine run with, in the versions that they were tried in', () => {
  const { peerDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  expect(peerDependencies).toMatchObject(MODEL_PACKAGES);
  expect(() => checkModelPackages()).not.toThrow();
  const missing = (): never => {
    throw new Error('Cannot find module');
  };
  expect(() => checkModelPackages(missing)).toThrow(
    'npm install --omit=dev --save-prod onnxruntime-node@1.30.0 @huggingface/tokenizers@0.2.0',
  );
});
