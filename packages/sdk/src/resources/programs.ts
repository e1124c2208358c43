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
  ChangeProgramBody,
  ChangeProgramSignUpBody,
  CreateProgramBody,
  EnrollCollaboratorBody,
  Enrollment,
  ExampleProgramBody,
  ListEnrollmentsQuery,
  ListProgramVersionsQuery,
  ListProgramsQuery,
  Program,
  ProgramExample,
  ProgramSignUp,
  ProgramVersion,
} from '../schemas.ts';

/** `whence.programs`. */
export class ProgramsResource extends Resource {
  /**
   * List programs: `GET /v1/programs`.
   *
   * All but the deleted; with `status=deleted` those.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const program of whence.programs.list({ status: 'active' })) console.log(program.name);
   */
  list(query?: ListProgramsQuery, options?: RequestOptions): List<Program> {
    return this.client.list('/v1/programs', query, options);
  }

  /**
   * Create a program: `POST /v1/programs`.
   *
   * Version 1 of a program. Without `triggers` visits alone count: `{"site-visit": 1}`.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * const program = await whence.programs.create({
   *   name: 'Affiliates',
   *   reward: { type: 'percent', percent: 10 },
   *   windowDays: 30,
   *   approveAfterDays: 14,
   * });
   * console.log(program.attribution); // last-touch
   */
  create(body: CreateProgramBody, options?: PostOptions): Call<Program> {
    return this.client.call('POST', '/v1/programs', { body, options });
  }

  /**
   * Try a program out: `POST /v1/programs/example`.
   *
   * Takes a program as it would be created, a sale and touches that are imagined, and tells the program in words and what it would pay. What decides real sales decides it, with the program as active and alone; nothing is written. Faults of the program are those that its creation would have.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * const { words, explanation } = await whence.programs.example({
   *   name: 'Affiliates',
   *   reward: { type: 'percent', percent: 10 },
   *   sale: { total: 250 },
   *   touches: [{ collaborator: 'Ada', daysBefore: 3 }],
   * });
   * console.log(words[0]); // Collaborators earn 10% of each sale: of products, less discounts.
   * console.log(explanation.candidates[0]?.share); // 2500
   */
  example(body: ExampleProgramBody, options?: PostOptions): Call<ProgramExample> {
    return this.client.call('POST', '/v1/programs/example', { body, options });
  }

  /**
   * Get a program: `GET /v1/programs/{id}`.
   *
   * A program in its newest version, also a deleted one.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { name, version } = await whence.programs.get(programId);
   * console.log(name, version); // Affiliates 1
   */
  get(id: Id, options?: RequestOptions): Call<Program> {
    return this.client.call('GET', path`/v1/programs/${id}`, { options });
  }

  /**
   * Change a program: `PATCH /v1/programs/{id}`.
   *
   * Makes a new version with the fields that are given changed; null takes an optional one away. What was decided stays under the version that decided it. A change of nothing makes no version.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409), `precondition-failed` (412)
   *
   * @example
   * const { version } = await whence.programs.update(programId, { reward: { type: 'percent', percent: 12.5 } });
   * console.log(version); // 2
   */
  update(id: Id, body: ChangeProgramBody = {}, options?: RequestOptions & VersionOptions): Call<Program> {
    return this.client.call('PATCH', path`/v1/programs/${id}`, { body, options });
  }

  /**
   * Delete a program: `DELETE /v1/programs/{id}`.
   *
   * It pays nothing from now on; what it has paid stays. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `precondition-failed` (412)
   *
   * @example
   * const { status } = await whence.programs.delete(programId);
   * console.log(status); // deleted
   */
  delete(id: Id, options?: RequestOptions & VersionOptions): Call<Program> {
    return this.client.call('DELETE', path`/v1/programs/${id}`, { options });
  }

  /**
   * List a program’s versions: `GET /v1/programs/{id}/versions`.
   *
   * Every version, newest first.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * for await (const { version, reward } of whence.programs.listVersions(programId)) {
   *   console.log(version, reward.type); // 1 percent
   * }
   */
  listVersions(id: Id, query?: ListProgramVersionsQuery, options?: RequestOptions): List<ProgramVersion> {
    return this.client.list(path`/v1/programs/${id}/versions`, query, options);
  }

  /**
   * List a program’s collaborators: `GET /v1/programs/{id}/collaborators`.
   *
   * Who is enrolled; with `status=removed` who once was.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * for await (const { collaboratorId, status } of whence.programs.listEnrollments(selectProgramId)) {
   *   console.log(collaboratorId, status);
   * }
   */
  listEnrollments(id: Id, query?: ListEnrollmentsQuery, options?: RequestOptions): List<Enrollment> {
    return this.client.list(path`/v1/programs/${id}/collaborators`, query, options);
  }

  /**
   * Enrol a collaborator: `POST /v1/programs/{id}/collaborators`.
   *
   * Lets a collaborator earn in the program. One who is enrolled already is answered as they are.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * await whence.programs.update(programId, { enrollment: 'selected' });
   * await whence.programs.enrollCollaborator(programId, { collaboratorId });
   */
  enrollCollaborator(id: Id, body: EnrollCollaboratorBody, options?: PostOptions): Call<Enrollment> {
    return this.client.call('POST', path`/v1/programs/${id}/collaborators`, { body, options });
  }

  /**
   * Remove a collaborator from a program: `DELETE /v1/programs/{id}/collaborators/{collaboratorId}`.
   *
   * Sales from now on earn them nothing in it. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * await whence.programs.removeCollaborator(selectProgramId, collaboratorId);
   */
  removeCollaborator(id: Id, collaboratorId: Id, options?: RequestOptions): Call<Enrollment> {
    return this.client.call('DELETE', path`/v1/programs/${id}/collaborators/${collaboratorId}`, { options });
  }

  /**
   * Get how collaborators sign up for a program: `GET /v1/programs/{id}/sign-up`.
   *
   * Closed unless you have opened it.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { mode } = await whence.programs.getSignUp(programId);
   * console.log(mode); // closed
   */
  getSignUp(id: Id, options?: RequestOptions): Call<ProgramSignUp> {
    return this.client.call('GET', path`/v1/programs/${id}/sign-up`, { options });
  }

  /**
   * Change how collaborators sign up for a program: `PATCH /v1/programs/{id}/sign-up`.
   *
   * Changes the fields that are given; null takes an optional one away. The portal shows active programs that are not closed.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409), `precondition-failed` (412)
   *
   * @example
   * const { mode } = await whence.programs.changeSignUp(programId, {
   *   mode: 'approval',
   *   question: 'Where will you tell people of us?',
   * });
   * console.log(mode); // approval
   */
  changeSignUp(
    id: Id,
    body: ChangeProgramSignUpBody = {},
    options?: RequestOptions & VersionOptions,
  ): Call<ProgramSignUp> {
    return this.client.call('PATCH', path`/v1/programs/${id}/sign-up`, { body, options });
  }
}
