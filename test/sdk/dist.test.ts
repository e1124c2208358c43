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
import { startService } from '#test/support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SDK = join(ROOT, 'packages', 'sdk');
const TSC = join(SDK, 'node_modules', 'typescript', 'bin', 'tsc');
/** What a bundle pays for the SDK at most, minified and compressed. */
const BUNDLE_LIMIT_BYTES = 8_192;
const OLDEST_NODE = 20;

const run = promisify(execFile);

/** What a runtime must have. */
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

  it('imports nothing but itself, and has types for all of it', () => {
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

  it(`is less than ${BUNDLE_LIMIT_BYTES} bytes in a bundle, minified and compressed`, async (test) => {
    const code = await bundled(dist);
    const size = gzipSync(code, { level: 9 }).length;
    test.diagnostic(`${size} bytes`);
    assert.ok(size < BUNDLE_LIMIT_BYTES, `${size} bytes`);
  });

  it('runs where there is nothing but the web’s own interfaces', async (test) => {
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

  it('the programs of the README run on the oldest Node and print what was earned', async (test) => {
    const node = await oldNode();
    if (node === undefined) return test.skip('There is no Node on this machine but our own.');
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

  it('wrong calls do not compile, and right ones do, however strict', async () => {
    const files = ['wrong-calls.ts', 'example.ts', ...globSync('examples/*.ts', { cwd: join(ROOT, 'test', 'sdk') })];
    for (const name of files) {
      const source = readFileSync(join(ROOT, 'test', 'sdk', name), 'utf8');
      mkdirSync(join(folder, 'examples'), { recursive: true });
      writeFileSync(join(folder, name), source.replaceAll("'#sdk/whence.ts'", "'@whence/sdk'"));
    }
    const lib = ['es2022', 'dom', 'dom.iterable'];
    await compileUser('nodenext', files, { module: 'nodenext', lib, exactOptionalPropertyTypes: true });
    await compileUser('bundler', files, { module: 'esnext', moduleResolution: 'bundler', lib });
  });

  async function compileUser(name: string, files: readonly string[], options: object): Promise<void> {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      // The declarations of the package are checked as well.
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

/** The host’s own, not the one that comes along with the packages. */
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
