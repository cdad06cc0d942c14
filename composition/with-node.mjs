// node composition/with-node.mjs <file> [argument…]
// Runs a tool of the project under a Node that fits, whatever Node the system has.
// Plain JavaScript on purpose: an older Node must be able to parse it.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fits, runWithFittingNode } from './fitting-node.mjs';

const [file, ...args] = process.argv.slice(2);
if (fits()) {
  process.argv = [process.argv[0], resolve(file), ...args];
  await import(pathToFileURL(resolve(file)).href);
} else runWithFittingNode([file, ...args], { apart: false });
