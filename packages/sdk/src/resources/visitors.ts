// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type PostOptions, Resource } from '../client.ts';
import type { EraseVisitorBody, ExportVisitorBody, Visitor, VisitorErasure } from '../schemas.ts';

/** `whence.visitors`. */
export class VisitorsResource extends Resource {
  /**
   * Export what is stored of a visitor: `POST /v1/visitors/export`.
   *
   * Everything that is stored under a user number, to be handed to whoever asks what you know of them. The number stands in the body, where no log has it; a number that nothing is stored under has empty lists.
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
   * Takes a user number out of all that is stored, for good. Visits that led to nothing are removed. Of those that led to a sale stays what shows why somebody was paid: moments and collaborators, and nothing that says who the visitor was. The audit keeps that it was done, and not of whom; the same call again finds nothing more.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
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
