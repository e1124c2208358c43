// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type RequestOptions, type VersionOptions, Resource } from '../client.ts';
import type { ChangePortalSettingsBody, PortalSettings } from '../schemas.ts';

/** `whence.portalSettings`. */
export class PortalSettingsResource extends Resource {
  /**
   * Get the portal’s settings: `GET /v1/portal-settings`.
   *
   * How your portal looks and where it is. Until it has a `slug` it is closed.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * const { slug, refParameter } = await whence.portalSettings.get();
   * console.log(slug ?? 'closed', refParameter); // closed ref
   */
  get(options?: RequestOptions): Call<PortalSettings> {
    return this.client.call('GET', '/v1/portal-settings', { options });
  }

  /**
   * Change the portal’s settings: `PATCH /v1/portal-settings`.
   *
   * Changes the fields that are given; null takes an optional one away. With a `slug` the portal is open; links that collaborators have keep leading where they led, under whatever slug. `slug: null` closes it, and logs everybody out of it.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may change `landingUrl`, `embedOrigins` only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `portal-taken` (409), `precondition-failed` (412)
   *
   * @example
   * const { url } = await whence.portalSettings.update({
   *   slug: unusedSlug,
   *   name: 'Ada’s Mugs',
   *   accent: '#0f766e',
   *   landingUrl: 'https://shop.example/',
   *   embedOrigins: ['https://shop.example'],
   * });
   * // Where your collaborators sign up and log in.
   * console.log(url);
   */
  update(body: ChangePortalSettingsBody = {}, options?: RequestOptions & VersionOptions): Call<PortalSettings> {
    return this.client.call('PATCH', '/v1/portal-settings', { body, options });
  }
}
