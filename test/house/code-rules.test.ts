import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = '{ui,console,portal,packages/*/src}/**/*.{ts,tsx}';

/** The lines of these files that say it, with their file. Files that are made are not ours. */
function linesWith(pattern: string, says: RegExp): string[] {
  const files = globSync(pattern, { cwd: ROOT }).filter((file) => !/(^|\/)(dist[^/]*|node_modules)\//.test(file));
  assert.ok(files.length > 20, pattern);
  return files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => says.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

describe('the code that runs with what others send', () => {
  it('runs no text as code, and sets no HTML', () => {
    const running = /\beval\(|new Function\(|\bFunction\(['"`]|node:vm|setTimeout\(['"`]|['"]javascript:/;
    assert.deepEqual(linesWith('src/**/*.ts', running), []);
    const writing = /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|srcdoc/i;
    assert.deepEqual(linesWith(PAGES, new RegExp(`${running.source}|${writing.source}`, 'i')), []);
  });

  it('knows no hash but SHA-256, and no cipher but AES-256-GCM where something is kept secret', () => {
    const named = linesWith('src/**/*.ts', /\b(createHash|createHmac|hash|pbkdf2|scrypt)\(\s*'/);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((line) => !/\b(createHash|createHmac|hash)\(\s*'sha256'/.test(line)),
      [],
    );
    assert.deepEqual(linesWith('src/**/*.ts', /'(aes|des|rc4|chacha)\d*-/i).sort(), [
      // A permutation of single blocks, which keeps numbers from being guessed: docs/decisions/0012.
      "src/domain/opportunity-number.ts: const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);",
      "src/store/secret-box.ts: const CIPHER = 'aes-256-gcm';",
    ]);
  });

  it('draws what is not to be guessed from the system: by chance alone go pauses', () => {
    assert.deepEqual(linesWith('src/**/*.ts', /Math\.random/), [
      'src/webhooks/deliver.ts: const aftermath = judgeAttempt(answer, delivery, Math.random());',
    ]);
  });

  it('starts no shell', () => {
    assert.deepEqual(linesWith('src/**/*.ts', /shell: true|\bexec(Sync)?\(['"`]/), []);
  });

  it('gives a shell no text but its own: what a caller sends is in no command', () => {
    assert.deepEqual(linesWith('src/**/*.ts', /\b(spawn|spawnSync|execFile\w*|fork)\(|promisify\(execFile\)/).sort(), [
      "src/store/embedded/account.ts: return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;",
      'src/store/embedded/cluster.ts: await promisify(execFile)(file, args, options);',
      "src/store/embedded/server-process.ts: const shell = spawn('/bin/sh', ['-c', 'read -r ended || kill -INT \"$0\"', `${server.pid}`], {",
      "src/store/embedded/server-process.ts: server = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] });",
      "src/store/embedded/server-process.ts: spawnSync(join(packagedPrograms().bin, 'pg_ctl'), ['kill', name, `${pid}`]);",
    ]);
  });

  it('logs words of its own: what others have sent is a field, and fills no place in them', () => {
    const logged = linesWith('src/**/*.ts', /\blog\.(fatal|error|warn|info|debug|trace)\(/);
    assert.ok(logged.length > 10);
    assert.deepEqual(
      logged.filter((line) => /\blog\.\w+\([^)]*(%[sdifjoOc]|`)/.test(line)),
      // One of our own words for what is wrong.
      ['src/databases.ts: else log.warn({ err: error, trouble }, `the replica is not read: ${TROUBLES[trouble]}`);'],
    );
    assert.deepEqual(linesWith('src/**/*.ts', /\bconsole\.\w+\(|node:util.*\bformat\b/), []);
  });

  it('listens in no page of ours to what other pages say', () => {
    const heard = linesWith(PAGES, /addEventListener\(\s*['"`]message|\bonmessage\b|BroadcastChannel|MessageChannel/i);
    // What a merchant puts into a page of their own, around the portal’s frame: it looks at who says it.
    assert.deepEqual(
      heard.filter((line) => !line.startsWith('console/pages/settings/embed-code.ts: ')),
      [],
    );
  });

  it('compares nothing secret letter by letter: by its hash, or in constant time', () => {
    const compared = /\b(password|rawKey|secret|token|signature|hash|tag)\b\w* [!=]== (?!undefined|null|')\w/i;
    assert.deepEqual(linesWith('src/{http,operations,webhooks}/**/*.ts', compared), [
      // What is kept of a password, with what was kept a moment ago: whether it was changed meanwhile.
      "src/operations/open-session.ts: if (person?.password !== password) return { kind: 'wrong' };",
    ]);
    assert.equal(linesWith('src/**/*.ts', /timingSafeEqual\(/).length, 1);
  });
});
