import { platform, release, totalmem } from 'node:os';
import { listenSettings, type Address } from './address.ts';

/**
 * Returns PostgreSQL settings for a small server with many inserts. They are passed at every start, so that a new
 * release can change them.
 */
export function settingsFor(address: Address, maxConnections = 50): Record<string, string> {
  return {
    ...listenSettings(address),
    max_connections: `${maxConnections}`,
    shared_buffers: `${buffersMB()}MB`,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    ...(isSyncfsHonest() && { recovery_init_sync_method: 'syncfs' }),
    // After a crash the server ends, and this process restarts it. PostgreSQL itself would try only one restart. If
    // that failed, as on a disk with errors, the server would wait forever for an ended process.
    restart_after_crash: 'off',
    wal_compression: 'on',
    max_wal_size: '4GB',
    // After a crash, the server replays everything since the last checkpoint before it accepts connections, at 200 MB a
    // second.
    checkpoint_timeout: '5min',
    checkpoint_completion_target: '0.9',
    // The server ends a statement after its client has disconnected, even if the statement waits for a lock. So the
    // locks of its transaction are released.
    ...(platform() !== 'win32' && { client_connection_check_interval: '1s' }),
    random_page_cost: '1.1',
    jit: 'off',
    // Check tables often. Vacuum and analyze a table as soon as 5% of its rows are new or changed, so that the
    // visibility map and the statistics stay current.
    autovacuum_naptime: '15s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    autovacuum_vacuum_cost_limit: '1000',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // PostgreSQL logs to standard error, which this process redirects to a file. The log omits statements, because they
    // may contain customer data.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_error_statement: 'panic',
  };
}

/**
 * Returns whether the kernel reports write errors of syncfs (Linux 5.8 or later). After a crash, PostgreSQL syncs its
 * files before it replays the write-ahead log, and syncfs syncs the whole file system in one call. Without it,
 * PostgreSQL accepted connections again after 3.2 s, of which 2.7 s were spent on syncing 1,300 files individually.
 */
function isSyncfsHonest(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return platform() === 'linux' && (major > 5 || (major === 5 && minor >= 8));
}

function buffersMB(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(16, Math.min(256, Math.floor(memory / 8 / 2 ** 20)));
}
