import { expect, it } from 'vitest';
import { checkModelPackages } from '../../../adapters/local-model/packages.ts';

it('names the command that installs what models of this machine run with', () => {
  const missing = (): never => {
    throw new Error('Cannot find module');
  };
  expect(() => checkModelPackages(missing)).toThrow(
    /npm install --omit=dev --save-prod onnxruntime-node@\d\S* @huggingface\/tokenizers@\d/,
  );
});
