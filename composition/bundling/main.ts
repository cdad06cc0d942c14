import { fileURLToPath } from 'node:url';

// Checks for Rolldown before anything is written: production installs have none.
const found = await import('./bundle.ts').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return null;
});
if (found === null) {
  console.error(
    'bundling needs rolldown, which is not installed: run "npm ci" without --omit=dev and try again',
  );
  process.exitCode = 1;
} else {
  const program = await found.bundleProgram(fileURLToPath(new URL('../../dist', import.meta.url)));
  console.log(`run: node ${program}`);
}
