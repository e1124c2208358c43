import { join } from 'node:path';
import { format } from 'prettier';
import { callsOf, type Document } from './calls.ts';
import { examplesIn } from './examples.ts';
import { referencePage } from './reference.ts';
import { resourceSources } from './resources.ts';
import { schemasSource, webhookEventSource } from './schemas.ts';

const HEAD = '// Made by `npm run sdk` from openapi.json. Don’t edit it.\n\n';

/** Generates all files that derive from openapi.json and the examples: content by path below the repository root. */
export async function generateSdk(document: Document, root: string): Promise<Map<string, string>> {
  const { calls, schemas } = callsOf(document);
  const examples = examplesIn(join(root, 'test/packages/sdk/examples'));
  const sources = new Map([
    ['schemas.ts', await schemasSource(schemas)],
    ['webhook-event.ts', webhookEventSource(document)],
    ...resourceSources(calls, examples),
  ]);
  const files = new Map<string, string>();
  for (const [name, source] of sources) {
    const text = await format(HEAD + source, { parser: 'typescript', printWidth: 120, singleQuote: true });
    files.set(`packages/sdk/src/${name}`, text);
  }
  files.set('docs/reference/sdk.md', referencePage(calls, examples));
  return files;
}
