#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/*
 * What was compiled at the first start is kept beside the packages, which come with it and go with it: without, half of a
 * start is compiling. Where the folder can't be written, or NODE_COMPILE_CACHE names another, that is how it is. It has to
 * be said before anything else is loaded; and this file is JavaScript, since for one file of TypeScript that is not kept yet
 * Node loads its compiler, which takes 40 ms and 18 MB.
 */
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'whence'));
await import('./app/commands.ts');
