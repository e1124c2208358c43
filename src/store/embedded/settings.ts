import { platform, release, totalmem } from 'node:os';
import { listenSettings, type Address } from './address.ts';

/** What a small server with many inserts needs. Given on every start, so that a new version brings its own. */
export function settingsFor(address: Address, maxConnections = 50): Record<string, string> {
  return {
    ...listenSettings(address),
    max_connections: `${maxConnections}`,
    shared_buffers: `${buffersMB()}MB`,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    ...(isSyncfsHonest() && { recovery_init_sync_method: 'syncfs' }),
    // After a crash it ends, and we start it anew. By itself it would start over once, and where that fails, as on a disk that
    // still gives errors, wait for ever for a process that is gone.
    restart_after_crash: 'off',
    wal_compression: 'on',
    max_wal_size: '4GB',
    // After a crash what was written since the last one is replayed before anybody is answered, 200 MB of it in a second.
    checkpoint_timeout: '5min',
    checkpoint_completion_target: '0.9',
    // What waits for a lock while nobody waits for it any more ends, and with it what it holds itself.
    ...(platform() !== 'win32' && { client_connection_check_interval: '1s' }),
    random_page_cost: '1.1',
    jit: 'off',
    // Tables only grow: look often, and let a twentieth of new rows be enough for fresh statistics and visibility.
    autovacuum_naptime: '15s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    autovacuum_vacuum_cost_limit: '1000',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // The log goes to our file; statements stay out of it, since they may hold what customers sent.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_error_statement: 'panic',
  };
}

/**
 * After a crash its files are synced before the log is replayed: all of the file system at once, where the kernel tells what
 * could not be written (Linux from 5.8 on). [1,300 files one by one: 2.7 s of the 3.2 s until it answered again.]
 */
function isSyncfsHonest(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return platform() === 'linux' && (major > 5 || (major === 5 && minor >= 8));
}

function buffersMB(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(16, Math.min(256, Math.floor(memory / 8 / 2 ** 20)));
}
