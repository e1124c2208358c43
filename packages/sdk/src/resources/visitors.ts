// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type PostOptions, Resource } from '../client.ts';
import type { EraseVisitorBody, ExportVisitorBody, Visitor, VisitorErasure } from '../schemas.ts';

/** `whence.visitors`. */
export class VisitorsResource extends Resource {
  /**
   * Export what is stored of a visitor: `POST /v1/visitors/export`.
   *
   * Returns all data that is stored under a user id, to answer a person’s request for their data. The id is in the body, so it appears in no log. The lists are empty if nothing is stored under it.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * await whence.report.visit({ collaboratorId, userId: 42 });
   * const { opportunities, journeys } = await whence.visitors.export({ userId: 42 });
   * console.log(opportunities.length, journeys[0]?.steps[0]?.kind); // 1 visit
   */
  export(body: ExportVisitorBody, options?: PostOptions): Call<Visitor> {
    return this.client.call('POST', '/v1/visitors/export', { body, options });
  }

  /**
   * Erase a visitor: `POST /v1/visitors/erase`.
   *
   * Permanently removes a user id from all stored data. Visits that led to nothing are deleted. Visits that led to a sale keep what shows why a collaborator was paid: times and collaborators, but nothing that identifies the visitor. The audit log records the erasure without naming the user. Repeating the call changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403)
   *
   * @example
   * await whence.report.visit({ collaboratorId, userId: 42 });
   * const { removedVisits, closedOpportunities } = await whence.visitors.erase({ userId: 42 });
   * console.log(removedVisits, closedOpportunities); // 1 0
   */
  erase(body: EraseVisitorBody, options?: PostOptions): Call<VisitorErasure> {
    return this.client.call('POST', '/v1/visitors/erase', { body, options });
  }
}
