// npm run openapi -- <file>: writes the OpenAPI document. npm run openapi -- --compare <file>: compares it with a
// released document and fails if a change would break clients.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openapiDocument } from '#app/openapi/openapi.ts';
import { operations } from '#app/operations.ts';
import { breakingChanges, type Described } from '#tools/release/breaking-changes.ts';
import manifest from '../package.json' with { type: 'json' };

const { values, positionals } = parseArgs({ options: { compare: { type: 'string' } }, allowPositionals: true });
const [file] = positionals;
if ((file === undefined) === (values.compare === undefined)) {
  throw new Error('Name one file: npm run openapi -- openapi.json, or npm run openapi -- --compare released.json');
}

const document = openapiDocument({ operations, version: manifest.version, headerPrefix: 'X-Service' });
if (file !== undefined) writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
if (values.compare !== undefined) {
  const released = JSON.parse(readFileSync(values.compare, 'utf8')) as Described;
  const breaks = breakingChanges(released, JSON.parse(JSON.stringify(document)) as Described);
  for (const each of breaks) console.log(each);
  console.log(breaks.length === 0 ? 'No change breaks clients.' : `Changes that break clients: ${breaks.length}`);
  if (breaks.length > 0) process.exitCode = 1;
}
