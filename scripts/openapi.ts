// npm run openapi: writes openapi.json from the table of operations. A test fails when it is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { openapiDocument } from '#contract/openapi.ts';
import { operations } from '#contract/operations.ts';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const document = openapiDocument({ operations, version, headerPrefix: 'X-Service' });
await writeFile(new URL('openapi.json', root), `${JSON.stringify(document, null, 2)}\n`);
