// npm run openapi: writes openapi.json from the table of operations. A test fails if the file is stale. npm run openapi
// -- --release: also writes openapi.released.json, the released API that later changes must not break.
import { readFile, writeFile } from 'node:fs/promises';
import { openapiDocument } from '#app/openapi/openapi.ts';
import { operations } from '#app/operations.ts';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const document = openapiDocument({ operations, version, headerPrefix: 'X-Service' });
await writeFile(new URL('openapi.json', root), `${JSON.stringify(document, null, 2)}\n`);
if (process.argv.includes('--release')) {
  await writeFile(new URL('openapi.released.json', root), `${JSON.stringify(document, withoutWords, 1)}\n`);
}

/**
 * Removes descriptions and examples, which can change without breaking clients. A field that is named `description` or
 * `summary` but is not text stays.
 */
function withoutWords(name: string, value: unknown): unknown {
  const isWords = (name === 'description' || name === 'summary') && typeof value === 'string';
  return isWords || name === 'example' || name === 'examples' ? undefined : value;
}
