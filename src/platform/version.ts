import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The version of this release, such as `0.3.0`. */
export const { version: VERSION } = JSON.parse(text) as { readonly version: string };
