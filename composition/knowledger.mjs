#!/usr/bin/env node
// The command `knowledger`: `serve` runs the service, as `npm start` does. Plain JavaScript, as start.mjs is.
import { fileURLToPath } from 'node:url';

const [node, , command = 'help', ...args] = process.argv;
const start = fileURLToPath(new URL('./start.mjs', import.meta.url));
process.argv = [node, start, ...(command === 'serve' && args.length === 0 ? [] : [command, ...args])];
await import('./start.mjs');
