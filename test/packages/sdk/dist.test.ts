import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { startService } from '../../support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SDK = join(ROOT, 'packages', 'sdk');
const TSC = join(SDK, 'node_modules', 'typescript', 'bin', 'tsc');
/** The minified and compressed SDK must have fewer bytes than this limit. */
const BUNDLE_LIMIT_BYTES = 8_832;
const OLDEST_NODE = 20;

const run = promisify(execFile);

/** The globals that the SDK's runtime must have. */
const WEB = {
  AbortController,
  Headers,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  fetch,
  setTimeout,
};

describe('the built SDK', () => {
  let folder = '';
  let dist = '';
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'whence-sdk-'));
    const installed = join(folder, 'node_modules', '@whence', 'sdk');
    dist = join(installed, 'dist');
    mkdirSync(installed, { recursive: true });
    cpSync(join(SDK, 'package.json'), join(installed, 'package.json'));
    await compile(['-p', join(SDK, 'tsconfig.json'), '--outDir', dist]);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('imports only its own files, and has types for each file', () => {
    const files = globSync('**/*.js', { cwd: dist });
    assert.ok(files.includes('whence.js') && files.length > 10);
    for (const file of files) {
      const source = readFileSync(join(dist, file), 'utf8');
      const foreign = [...source.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].filter(
        ([, name = '']) => !/^\.{1,2}\/.*\.js$/.test(name),
      );
      assert.deepEqual(foreign, [], file);
      assert.ok(existsSync(join(dist, file.replace(/\.js$/, '.d.ts'))), file);
    }
  });

  it(`is smaller than ${BUNDLE_LIMIT_BYTES} bytes when bundled, minified and compressed`, async (test) => {
    const code = await bundled(dist);
    const size = gzipSync(code, { level: 9 }).length;
    test.diagnostic(`${size} bytes`);
    assert.ok(size < BUNDLE_LIMIT_BYTES, `${size} bytes`);
  });

  it('runs in a runtime that has only web APIs', async (test) => {
    const service = await startService();
    test.after(() => service.stop());
    const context = createContext({ ...WEB, baseUrl: service.url, apiKey: service.secretKey });
    runInContext(`${await bundled(dist)}; this.sdk = sdk;`, context);
    const outcome = (await runInContext(
      `(async () => {
        const whence = new sdk.Whence({ baseUrl, apiKey });
        await whence.collaborators.create({ name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
        const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada' });
        const names = [];
        for await (const { name } of whence.collaborators.list()) names.push(name);
        const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
        const { type } = await sdk.verifyWebhook('{"type":"x"}', await sdk.signWebhook('{"type":"x"}', secret), secret);
        const code = await whence.payouts.get(1).catch((error) => error.code);
        return JSON.stringify([typeof opportunity, names, type, code]);
      })()`,
      context,
    )) as string;
    assert.deepEqual(JSON.parse(outcome), ['number', ['Ada'], 'x', 'not-found']);
  });

  it(`the README programs run on an installed Node, version ${OLDEST_NODE} or later`, async (test) => {
    const node = await oldNode();
    if (node === undefined)
      return test.skip(`PATH has no Node of version ${OLDEST_NODE} or later outside node_modules.`);
    test.diagnostic(`Node ${node.version}`);
    const service = await startService();
    test.after(() => service.stop());
    const [start, earned] = [...readFileSync(join(SDK, 'README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)];
    const env = { WHENCE_URL: service.url, WHENCE_KEY: service.secretKey };
    const runs = async (name: string, code: string | undefined) => {
      assert.ok(code);
      writeFileSync(join(folder, name), code);
      const { stdout } = await run(node.path, [name], { cwd: folder, env });
      return stdout;
    };
    assert.match(await runs('start.mjs', start?.[1]), /^Reported\. The visitor is \d+\.\n$/);
    await service.settled();
    assert.match(await runs('earned.mjs', earned?.[1]), /^5 USD, pending\n.*Ada/s);
  });

  it('wrong calls fail to compile, and correct calls compile with strict settings', async () => {
    const files = [
      'wrong-calls.ts',
      'example.ts',
      ...globSync('examples/*.ts', { cwd: join(ROOT, 'test', 'packages', 'sdk') }),
    ];
    for (const name of files) {
      const source = readFileSync(join(ROOT, 'test', 'packages', 'sdk', name), 'utf8');
      mkdirSync(join(folder, 'examples'), { recursive: true });
      writeFileSync(join(folder, name), source.replaceAll("'#sdk/whence.ts'", "'@whence/sdk'"));
    }
    const lib = ['es2022', 'dom', 'dom.iterable'];
    await compileUser('nodenext', files, { module: 'nodenext', lib, exactOptionalPropertyTypes: true });
    await compileUser('bundler', files, { module: 'esnext', moduleResolution: 'bundler', lib });
  });

  it('compiles and runs in a CommonJS program with node10 resolution', async (test) => {
    const service = await startService();
    test.after(() => service.stop());
    const user = join(folder, 'commonjs');
    mkdirSync(user);
    writeFileSync(join(user, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(
      join(user, 'main.ts'),
      `import { Whence, type Program } from '@whence/sdk';
      declare const process: { readonly env: { readonly [name: string]: string | undefined } };
      const whence = new Whence({ baseUrl: process.env['WHENCE_URL'], apiKey: process.env['WHENCE_KEY'] });
      const made: Promise<Program> = whence.programs.create({ name: 'A', reward: { type: 'percent', percent: 10 } });
      void made.then(({ name }) => console.log(name));
      // @ts-expect-error the name of the program is missing
      void whence.programs.create({ reward: { type: 'percent', percent: 10 } }).catch(() => {});`,
    );
    const lib = ['es2022', 'dom', 'dom.iterable'];
    const compilerOptions = {
      strict: true,
      module: 'commonjs',
      moduleResolution: 'node10',
      target: 'es2020',
      types: [],
      lib,
    };
    writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    await compile(['-p', join(user, 'tsconfig.json')]);
    const env = { WHENCE_URL: service.url, WHENCE_KEY: service.secretKey };
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: user, env });
    assert.equal(stdout, 'A\n');
  });

  async function compileUser(name: string, files: readonly string[], options: object): Promise<void> {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      // Also check the declaration files of the SDK.
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      types: [],
      ...options,
    };
    const path = join(folder, `tsconfig.${name}.json`);
    writeFileSync(path, JSON.stringify({ compilerOptions, files }));
    await compile(['-p', path]);
  }
});

describe('the package metadata', () => {
  for (const name of ['sdk', 'browser']) {
    const folderOf = join(ROOT, 'packages', name);

    it(`@whence/${name} names its entry and types for tools that ignore exports`, () => {
      const { main, types, exports } = JSON.parse(readFileSync(join(folderOf, 'package.json'), 'utf8')) as {
        main: string;
        types: string;
        exports: Readonly<Record<string, { types: string; default: string }>>;
      };
      assert.deepEqual({ types, default: main }, exports['.']);
    });

    it(`the README of @whence/${name} has no relative links, which registries would not resolve`, () => {
      const text = readFileSync(join(folderOf, 'README.md'), 'utf8');
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
      assert.deepEqual(
        links.filter((to) => !/^(https:\/\/|#)/.test(to)),
        [],
      );
    });

    it(`@whence/${name} cannot be published without repository and homepage`, async () => {
      const script = join(ROOT, 'scripts', 'require-addresses.mjs');
      const { repository, homepage } = JSON.parse(readFileSync(join(folderOf, 'package.json'), 'utf8')) as {
        repository?: unknown;
        homepage?: unknown;
      };
      const checked = run(process.execPath, [script], { cwd: folderOf });
      if (repository !== undefined && homepage !== undefined) await assert.doesNotReject(checked);
      else await assert.rejects(checked, /has no "repository" or "homepage"/);
    });
  }
});

async function compile(args: readonly string[]): Promise<void> {
  await run(process.execPath, [TSC, ...args]).catch((error: { stdout?: string }) => assert.fail(error.stdout));
}

async function bundled(dist: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(dist, 'whence.js')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'sdk',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Returns the path and version of the first Node in PATH that is outside node_modules and has at least version
 * OLDEST_NODE. Returns undefined if there is none.
 */
async function oldNode(): Promise<{ readonly path: string; readonly version: string } | undefined> {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(place, 'node');
    if (place.includes('node_modules') || !existsSync(path)) continue;
    const { stdout } = await run(path, ['--version']);
    const version = stdout.trim();
    if (Number.parseInt(version.slice(1), 10) >= OLDEST_NODE) return { path, version };
  }
  return undefined;
}
