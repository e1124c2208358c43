import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = '{web,packages/*/src}/**/*.{ts,tsx}';

/**
 * Returns the trimmed lines that match `says` in files that match `pattern`, each with the path of its file. Build
 * output and node_modules are excluded. Fails if `pattern` finds 20 files or fewer.
 */
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

describe('code rules for handling outside input', () => {
  it('no text is run as code, and no page sets HTML', () => {
    const running = /\beval\(|new Function\(|\bFunction\(['"`]|node:vm|setTimeout\(['"`]|['"]javascript:/;
    assert.deepEqual(linesWith('src/**/*.ts', running), []);
    const writing = /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|srcdoc/i;
    assert.deepEqual(linesWith(PAGES, new RegExp(`${running.source}|${writing.source}`, 'i')), []);
  });

  it('SHA-256 is the only hash function except for passwords, and AES-256-GCM is the only cipher for secrets', () => {
    const named = linesWith('src/**/*.ts', /\b(createHash|createHmac|hash|pbkdf2|scrypt)\(\s*'/);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((line) => !/\b(createHash|createHmac|hash)\(\s*'sha256'/.test(line)),
      [],
    );
    assert.deepEqual(linesWith('src/**/*.ts', /'(aes|des|rc4|chacha)\d*-/i).sort(), [
      // Opportunity numbers are ids that are encrypted with the bare block cipher, so that they are hard to guess. See
      // docs/decisions/0012.
      "src/core/opportunity-number.ts: const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);",
      "src/platform/crypto/secret-box.ts: const CIPHER = 'aes-256-gcm';",
    ]);
  });

  it('Math.random is used only for retry intervals', () => {
    assert.deepEqual(linesWith('src/**/*.ts', /Math\.random/), [
      'src/webhooks/reactions/deliver.ts: const aftermath = judgeAttempt(answer, delivery, Math.random());',
    ]);
  });

  it('no command is started with exec or with the option shell: true', () => {
    assert.deepEqual(linesWith('src/**/*.ts', /shell: true|\bexec(Sync)?\(['"`]/), []);
  });

  it('processes are started only with fixed commands, without text from callers', () => {
    assert.deepEqual(linesWith('src/**/*.ts', /\b(spawn|spawnSync|execFile\w*|fork)\(|promisify\(execFile\)/).sort(), [
      "src/platform/postgres/embedded/account.ts: Number(spawnSync('id', [option, name], { ...childEnvironment(), encoding: 'utf8' }).stdout),",
      "src/platform/postgres/embedded/account.ts: return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;",
      "src/platform/postgres/embedded/account.ts: spawnSync('useradd', [...looks, OWN_USER], { ...childEnvironment(), stdio: 'ignore' });",
      'src/platform/postgres/embedded/cluster.ts: await promisify(execFile)(file, args, options);',
      "src/platform/postgres/embedded/server-process.ts: const shell = spawn('/bin/sh', ['-c', 'read -r ended || kill -INT \"$0\"', `${server.pid}`], {",
      "src/platform/postgres/embedded/server-process.ts: server = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] });",
      "src/platform/postgres/embedded/server-process.ts: spawnSync(join(packagedPrograms().bin, 'pg_ctl'), ['kill', name, `${pid}`]);",
    ]);
  });

  it('log messages have only constant texts, and outside text is logged in fields only', () => {
    const logged = linesWith('src/**/*.ts', /\blog\.(fatal|error|warn|info|debug|trace)\(/);
    assert.ok(logged.length > 10);
    assert.deepEqual(
      logged.filter((line) => /\blog\.\w+\([^)]*(%[sdifjoOc]|`)/.test(line)),
      // The only log message with a template, which inserts only constant texts.
      [
        'src/app/databases.ts: else log.warn({ err: error, trouble }, `the replica is not used: ${TROUBLES[trouble]}`);',
      ],
    );
    assert.deepEqual(linesWith('src/**/*.ts', /\bconsole\.\w+\(|node:util.*\bformat\b/), []);
  });

  it('no page listens to messages from other pages, except a merchant’s page that embeds the portal', () => {
    const heard = linesWith(PAGES, /addEventListener\(\s*['"`]message|\bonmessage\b|BroadcastChannel|MessageChannel/i);
    // The code that embeds the portal runs on the merchant’s own page, and checks the origin of each message.
    assert.deepEqual(
      heard.filter((line) => !line.startsWith('web/console/portal/embed-code.ts: ')),
      [],
    );
  });

  it('secrets are compared as hashes or in constant time', () => {
    const compared = /\b(password|rawKey|secret|token|signature|hash|tag)\b\w* [!=]== (?!undefined|null|')\w/i;
    assert.deepEqual(linesWith('src/{platform/http,*/{commands,reactions,routes},app}/**/*.ts', compared), [
      // Compares two stored password hashes, to find out whether the password was changed meanwhile.
      "src/access/commands/open-session.ts: if (person?.password !== password) return { kind: 'wrong' };",
    ]);
    assert.equal(linesWith('src/**/*.ts', /timingSafeEqual\(/).length, 4);
  });
});
