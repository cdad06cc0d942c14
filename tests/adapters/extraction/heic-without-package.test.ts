import { createRequire, registerHooks } from 'node:module';
import { expect, it } from 'vitest';
import { heicAsPixmap } from '../../../adapters/extraction/image/read-image.ts';

it('says what to install for HEIC where the package is left out', async () => {
  const require = createRequire(import.meta.url);
  // Other tests of this process may have loaded it.
  delete require.cache[require.resolve('libheif-js/wasm-bundle')];
  const hooks = registerHooks({
    resolve: (name, context, next) => {
      if (!name.startsWith('libheif-js')) return next(name, context);
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    },
  });
  try {
    await expect(heicAsPixmap(Buffer.alloc(8))).rejects.toMatchObject({
      code: 'parser_failed',
      message: expect.stringMatching(/npm install --omit=dev --save-optional libheif-js@\d/),
    });
  } finally {
    hooks.deregister();
  }
});
