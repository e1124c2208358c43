// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type PostOptions, Resource } from '../client.ts';
import type { Alias, MoveAliasBody } from '../schemas.ts';

/** `whence.aliases`. */
export class AliasesResource extends Resource {
  /**
   * Move an alias to another collaborator: `POST /v1/aliases/{id}/move`.
   *
   * From now on the code leads to the new owner. Earlier clicks and commissions stay with the old owner. Their alias is retired, and they are notified by email. The request names both owners. If the code does not belong to `fromCollaboratorId`, the answer is a 409. Repeating a move changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { id: from, aliases } = await whence.collaborators.create({
   *   name: 'Grace',
   *   aliases: [{ type: 'tracking', code: 'grace-hopper' }],
   * });
   * console.log(aliases.length); // 1
   * const [alias] = (await whence.collaborators.listAliases(from).page()).data;
   * if (alias === undefined) throw new Error('the alias is there');
   * const moved = await whence.aliases.move(alias.id, {
   *   fromCollaboratorId: from,
   *   toCollaboratorId: collaboratorId,
   * });
   * console.log(moved.collaboratorId === collaboratorId); // true
   */
  move(id: Id, body: MoveAliasBody, options?: PostOptions): Call<Alias> {
    return this.client.call('POST', path`/v1/aliases/${id}/move`, { body, options });
  }
}
