import { totalmem } from 'node:os';
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
    wal_compression: 'on',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
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

function buffersMB(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(16, Math.min(256, Math.floor(memory / 8 / 2 ** 20)));
}
