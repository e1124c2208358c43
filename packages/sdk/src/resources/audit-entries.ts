// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { AuditEntry, ListAuditEntriesQuery } from '../schemas.ts';

/** `whence.auditEntries`. */
export class AuditEntriesResource extends Resource {
  /**
   * List changes: `GET /v1/audit-entries`.
   *
   * Every call that changed something, reports aside: those are events. A call that was refused, or that left everything as it was, has no entry.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * await whence.programs.update(programId, { name: 'Partners' });
   * for await (const entry of whence.auditEntries.list({ path: `/v1/programs/${programId}` })) {
   *   console.log(entry.operation); // changeProgram
   * }
   */
  list(query?: ListAuditEntriesQuery, options?: RequestOptions): List<AuditEntry> {
    return this.client.list('/v1/audit-entries', query, options);
  }

  /**
   * Get a change: `GET /v1/audit-entries/{id}`.
   *
   * One entry of the audit.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { at, author, operation, after } = await whence.auditEntries.get(auditEntryId);
   * console.log(operation); // createProgram
   * console.log(at, author, after);
   */
  get(id: Id, options?: RequestOptions): Call<AuditEntry> {
    return this.client.call('GET', path`/v1/audit-entries/${id}`, { options });
  }
}
