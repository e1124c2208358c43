#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/*
 * Enables the compile cache before any other module is loaded, because compiling takes half of a start. The cache is
 * stored with the packages, so that both are deleted together. If the folder is read-only or NODE_COMPILE_CACHE is set,
 * the default applies. This file is JavaScript, because Node's TypeScript compiler takes 40 ms and 18 MB to load for an
 * uncached file.
 */
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'whence'));
await import('./app/commands.ts');
