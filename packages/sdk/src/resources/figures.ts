// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type RequestOptions, Resource } from '../client.ts';
import type { Figures, GetFiguresQuery } from '../schemas.ts';

/** `whence.figures`. */
export class FiguresResource extends Resource {
  /**
   * Get figures: `GET /v1/figures`.
   *
   * Visits, sales, revenue, refunds and what was earned, by day, collaborator, program, source or link: exact, and up to now. Days are those of UTC. To compare with the days before, ask for those as well. By collaborator, program and link a transaction counts once for each that has a conversion of it, so these rows may add up to more than the total.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * const { rows } = await whence.figures.get({ from: '2026-09-01', until: '2026-10-01', by: 'day' });
   * for (const { day, visits, sales } of rows) console.log(day, visits, sales);
   */
  get(query: GetFiguresQuery, options?: RequestOptions): Call<Figures> {
    return this.client.call('GET', '/v1/figures', { query, options });
  }
}
