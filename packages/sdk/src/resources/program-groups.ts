// Made by `npm run sdk` from openapi.json. Don’t edit it.

import {
  type Call,
  type Id,
  path,
  type RequestOptions,
  type PostOptions,
  type VersionOptions,
  Resource,
} from '../client.ts';
import type { List } from '../list.ts';
import type {
  ChangeProgramGroupBody,
  CreateProgramGroupBody,
  ListProgramGroupsQuery,
  ProgramGroup,
} from '../schemas.ts';

/** `whence.programGroups`. */
export class ProgramGroupsResource extends Resource {
  /**
   * List program groups: `GET /v1/program-groups`.
   *
   * All but the deleted; with `status=deleted` those.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const group of whence.programGroups.list()) console.log(group.name, group.rule);
   */
  list(query?: ListProgramGroupsQuery, options?: RequestOptions): List<ProgramGroup> {
    return this.client.list('/v1/program-groups', query, options);
  }

  /**
   * Create a program group: `POST /v1/program-groups`.
   *
   * Makes a new version of each program that is named. A program that is in another group is refused.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * // Only one of them pays for a sale.
   * await whence.programGroups.create({
   *   name: 'Referrals',
   *   rule: 'newest',
   *   programIds: [programId, selectProgramId],
   * });
   */
  create(body: CreateProgramGroupBody, options?: PostOptions): Call<ProgramGroup> {
    return this.client.call('POST', '/v1/program-groups', { body, options });
  }

  /**
   * Get a program group: `GET /v1/program-groups/{id}`.
   *
   * A group, also a deleted one.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { rule } = await whence.programGroups.get(programGroupId);
   * console.log(rule); // newest
   */
  get(id: Id, options?: RequestOptions): Call<ProgramGroup> {
    return this.client.call('GET', path`/v1/program-groups/${id}`, { options });
  }

  /**
   * Change a program group: `PATCH /v1/program-groups/{id}`.
   *
   * Changes the fields that are given. `programIds` names all that are to be in it: those that come and those that go get a new version, the others none. A sale is decided by the group as it was before, or as it is after.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409), `precondition-failed` (412)
   *
   * @example
   * const { rule } = await whence.programGroups.update(programGroupId, { rule: 'oldest' });
   * console.log(rule); // oldest
   */
  update(id: Id, body: ChangeProgramGroupBody = {}, options?: RequestOptions & VersionOptions): Call<ProgramGroup> {
    return this.client.call('PATCH', path`/v1/program-groups/${id}`, { body, options });
  }

  /**
   * Delete a program group: `DELETE /v1/program-groups/{id}`.
   *
   * Its programs are in none from now on. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `precondition-failed` (412)
   *
   * @example
   * const { status } = await whence.programGroups.delete(programGroupId);
   * console.log(status); // deleted
   */
  delete(id: Id, options?: RequestOptions & VersionOptions): Call<ProgramGroup> {
    return this.client.call('DELETE', path`/v1/program-groups/${id}`, { options });
  }
}
