// npm run sdk: writes docs/reference/sdk.md. A test fails if the page is stale. The build calls `node scripts/sdk.ts
// <folder>`, which writes the generated sources of packages/sdk and the OpenAPI document to the folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openapiDocument } from '#app/openapi/openapi.ts';
import { operations } from '#app/operations.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Document } from '../packages/sdk/generate/calls.ts';
import { sdkPage, sdkSources } from '../packages/sdk/generate/sdk.ts';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'test', 'packages', 'sdk', 'examples');
const text = JSON.stringify(openapiDocument({ operations, version: manifest.version, headerPrefix: 'X-Service' }));
const document = JSON.parse(text) as Document;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  writeFileSync(join(root, 'docs', 'reference', 'sdk.md'), sdkPage(document, examples));
} else {
  for (const [path, source] of [['openapi.json', text] as const, ...sdkSources(document, examples)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
}
