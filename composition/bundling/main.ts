import { fileURLToPath } from 'node:url';

// Before anything else is written: production installs have no Rolldown.
const found = await import('./bundle.ts').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return null;
});
if (found === null) {
  console.error(
    'a bundle is made by rolldown, which is not installed: run "npm ci" without --omit=dev, then again',
  );
  process.exitCode = 1;
} else {
  const program = await found.bundleProgram(fileURLToPath(new URL('../../dist', import.meta.url)));
  console.log(`run: node ${program}`);
}
