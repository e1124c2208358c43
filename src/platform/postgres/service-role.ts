import { randomBytes } from 'node:crypto';
import { type Database, inTransaction } from './database.ts';

/*
 * The service's role in the database. It reads and writes rows, but can't change the schema or append-only data. See
 * docs/decisions/0042-database-roles.md.
 */

/**
 * Tables in which the service can add rows, but can't change or delete them. In `audit_entries`, it can also change the
 * columns in EMPTIED.
 */
const APPEND_ONLY = ['ledger_entries', 'ledger_blocks', 'audit_entries', 'erasures'];
/** Tables in which the service can add and change rows, but can't delete them. */
const NEVER_DELETED = ['obligations', 'payouts', 'organizations', 'transactions', 'conversions'];
const READ_ONLY = ['migrations'];
/** The columns of `audit_entries` from which an erasure removes personal values. A trigger refuses any other update. */
const EMPTIED = ['request', 'before', 'after'];
/**
 * The sequence of event ids. The service needs the right to set its value, to advance it to the next partition of
 * visits.
 */
const JUMPING = 'event_ids';
/** The functions in schema/16-service-role.sql. Calling them requires a grant. */
const AS_OWNER = ['make_visit_partition', 'drop_visit_partition', 'take_statistics', 'lock_ledger'];

const LOCK = `select pg_advisory_xact_lock(hashtextextended('rights of the service', 0))`;

/**
 * Grants `role` the missing rights that the service needs on the newest schema. The owner already has all rights.
 * Several processes can call it concurrently.
 */
export function grantServicePrivileges(owner: Database, role: string): Promise<void> {
  return inTransaction(owner, async (connection) => {
    await connection.query(LOCK);
    const { rows } = await connection.query<{ grant: string }>(MISSING, [
      role,
      APPEND_ONLY,
      NEVER_DELETED,
      READ_ONLY,
      EMPTIED,
      JUMPING,
      AS_OWNER,
    ]);
    for (const { grant } of rows) await connection.query(grant);
  });
}

/**
 * SQL that returns the grants that `role` lacks on existing objects, as statements. It omits partitions, because the
 * service reads and writes them through their parent table.
 */
const MISSING = `
  select format('grant %s to %I', what, $1) as grant
  from (
    select format('%s on table %s', privilege, c.oid::regclass) as what,
      has_table_privilege($1, c.oid, privilege) as held
    from pg_class c
    cross join lateral unnest(case
      when c.relname = any ($4::text[]) then '{select}'
      when c.relname = any ($2::text[]) then '{select,insert}'
      when c.relname = any ($3::text[]) then '{select,insert,update}'
      else '{select,insert,update,delete}' end::text[]) privilege
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    union all
    select format('update (%I) on table audit_entries', name), has_column_privilege($1, 'audit_entries', name, 'update')
    from unnest($5::text[]) name
    union all
    select format('%s on sequence %s', privilege, c.oid::regclass), has_sequence_privilege($1, c.oid, privilege)
    from pg_class c
    cross join lateral unnest(case when c.relname = $6 then '{usage,select,update}' else '{usage,select}' end::text[]) privilege
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
    union all
    select format('execute on function %s', p.oid::regprocedure), has_function_privilege($1, p.oid, 'execute')
    from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.proname = any ($7::text[])
    union all
    select format('usage on schema %I', current_schema()), has_schema_privilege($1, current_schema(), 'usage')
  ) wanted
  where not held`;

/** Returns the role that a database connection uses. */
export async function roleOf(database: Database): Promise<string> {
  const { rows } = await database.query<{ role: string }>('select current_user as role');
  return (rows[0] as { role: string }).role;
}

const EMBEDDED_ROLE = 'whence_service';

/**
 * Returns the URL with which the service connects to the embedded database. Creates the service's role if needed, and
 * sets a new password that only this process knows. If the service were the superuser, an SQL injection could run
 * programs as PostgreSQL's user of the operating system.
 */
export async function serviceUrl(owner: Database, ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await inTransaction(owner, async (connection) => {
    await connection.query(LOCK);
    const { rowCount } = await connection.query('select from pg_roles where rolname = $1', [EMBEDDED_ROLE]);
    const verb = rowCount === 0 ? 'create' : 'alter';
    await connection.query(
      `${verb} role ${EMBEDDED_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`,
    );
  });
  const url = new URL(ownerUrl);
  url.username = EMBEDDED_ROLE;
  url.password = password;
  return url.href;
}
