#!/usr/bin/env node
// The command `knowledger`: `serve` runs the service, as `npm start` does. Plain JavaScript, as start.mjs is.
import { fileURLToPath } from 'node:url';

// Node runs no TypeScript within node_modules: an installed package brings the program bundled.
const isInstalled = import.meta.url.includes('/node_modules/');
const start = new URL(isInstalled ? '../dist/start.mjs' : './start.mjs', import.meta.url);
const [node, , command = 'help', ...args] = process.argv;
process.argv = [
  node,
  fileURLToPath(start),
  ...(command === 'serve' && args.length === 0 ? [] : [command, ...args]),
];
await import(start.href);
