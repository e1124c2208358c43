// npm run sdk: writes the generated sources of packages/sdk and docs/reference/sdk.md from openapi.json. A test fails if they are
// stale.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Document } from '../packages/sdk/generate/calls.ts';
import { generateSdk } from '../packages/sdk/generate/sdk.ts';

const root = join(import.meta.dirname, '..');
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Document;
const files = await generateSdk(document, root);
for (const [path, text] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  if (contentOf(join(root, path)) !== text) writeFileSync(join(root, path), text);
}
// Remove the files of resources that no longer exist.
for (const path of globSync('packages/sdk/src/resources/*.ts', { cwd: root })) {
  if (!files.has(path)) rmSync(join(root, path));
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
