// npm run openapi: writes openapi.json from the table of operations. A test fails when it is stale.
// npm run openapi -- --release: also keeps it as what was released, openapi.released.json, which later changes may not break.
import { readFile, writeFile } from 'node:fs/promises';
import { openapiDocument } from '#contract/openapi.ts';
import { operations } from '#contract/operations.ts';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const document = openapiDocument({ operations, version, headerPrefix: 'X-Service' });
await writeFile(new URL('openapi.json', root), `${JSON.stringify(document, null, 2)}\n`);
if (process.argv.includes('--release')) {
  await writeFile(new URL('openapi.released.json', root), `${JSON.stringify(document, withoutWords, 1)}\n`);
}

/** What is only said and breaks nobody: descriptions, and examples. A field of such a name is no text, and stays. */
function withoutWords(name: string, value: unknown): unknown {
  const isWords = (name === 'description' || name === 'summary') && typeof value === 'string';
  return isWords || name === 'example' || name === 'examples' ? undefined : value;
}
