import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';

console.log(`run: node ${await bundleProgram(fileURLToPath(new URL('../../dist', import.meta.url)))}`);
