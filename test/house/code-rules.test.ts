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

  it('compares nothing secret letter by letter: by its hash, or in constant time', () => {
    const compared = /\b(password|rawKey|secret|token|signature|hash|tag)\b\w* [!=]== (?!undefined|null|')\w/i;
    assert.deepEqual(linesWith('src/{http,operations,webhooks}/**/*.ts', compared), [
      // What is kept of a password, with what was kept a moment ago: whether it was changed meanwhile.
      "src/operations/open-session.ts: if (person?.password !== password) return { kind: 'wrong' };",
    ]);
    assert.equal(linesWith('src/**/*.ts', /timingSafeEqual\(/).length, 1);
  });
});
