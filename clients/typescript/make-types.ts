// npm run client:types -- http://127.0.0.1:3000
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Document, typesOf } from './types-of.ts';

const url = process.argv[2] ?? 'http://127.0.0.1:3000';
const response = await fetch(`${url}/openapi.json`);
if (!response.ok) throw new Error(`${url} answered ${response.status}`);
const document = (await response.json()) as Document;
await writeFile(fileURLToPath(new URL('src/types.ts', import.meta.url)), typesOf(document));
