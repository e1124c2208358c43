// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type RequestOptions, type VersionOptions, Resource } from '../client.ts';
import type { ChangeOrganizationBody, Organization } from '../schemas.ts';

/** `whence.organization`. */
export class OrganizationResource extends Resource {
  /**
   * Get the organization: `GET /v1/organization`.
   *
   * The organization that the key belongs to.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * const { name, tier } = await whence.organization.get();
   * console.log(name, tier); // Example essentials
   */
  get(options?: RequestOptions): Call<Organization> {
    return this.client.call('GET', '/v1/organization', { options });
  }

  /**
   * Change the organization: `PATCH /v1/organization`.
   *
   * Changes the fields that are given. A change of the tier holds everywhere within a second.
   *
   * Needs: a secret key with the scope `keys:write`, or a person whose role has it.
   *
   * @throws WhenceError `precondition-failed` (412)
   *
   * @example
   * const { name } = await whence.organization.update({ name: 'Mugs Ltd' });
   * console.log(name); // Mugs Ltd
   */
  update(body: ChangeOrganizationBody = {}, options?: RequestOptions & VersionOptions): Call<Organization> {
    return this.client.call('PATCH', '/v1/organization', { body, options });
  }
}
