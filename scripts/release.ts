// npm run release -- <version> <revision>: saves the fixtures of a release in test/fixtures/releases: its sources, and
// a database that the release has filled. Later releases are tested against them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '#platform/postgres/database.ts';
import { backUp } from '#platform/postgres/backup/backup.ts';
import { startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { openCaller } from '#test/support/caller.ts';
import { startProcess } from '#test/support/process.ts';
import { databaseOf, RELEASES, sourcesOf, unpackRelease } from '#test/support/release.ts';
import { settled } from '#test/support/service.ts';
import { tellHistory } from './release-history.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;

const { positionals } = parseArgs({ allowPositionals: true });
const [version, revision] = positionals;
if (version === undefined || revision === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  throw new Error('npm run release -- <version> <revision>, such as: npm run release -- 0.2.0 v0.2.0');
}

mkdirSync(join(RELEASES, version), { recursive: true });
keepSources(version, revision);
await keepDatabase(version);

function keepSources(version: string, revision: string): void {
  // The first release reads openapi.json at run time to serve it.
  const paths = ['src', 'package.json', ...(version === '0.1.0' ? ['openapi.json'] : [])];
  execFileSync('git', ['archive', '--format=tar.gz', '-9', `--output=${sourcesOf(version)}`, revision, ...paths]);
}

async function keepDatabase(version: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'whence-release-'));
  const release = await unpackRelease(version);
  const embedded = await startEmbedded({ dataDir, log: () => {} });
  const database = openDatabase(embedded.url, { connections: 2 });
  try {
    const settings = { DATABASE_URL: embedded.url, WHENCE_SECRET_KEY: KEY };
    const service = await startProcess(settings, { folder: release.folder });
    const { send, leave } = openCaller(service.url);
    await tellHistory({ request: send, secretKey: KEY, settled: () => settled(database) });
    leave();
    service.signal('SIGTERM');
    await service.exited;
    rmSync(databaseOf(version), { force: true });
    console.log(await backUp(database, databaseOf(version)));
  } finally {
    await database.end();
    await embedded.stop();
    await release.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
