// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type PostOptions, Resource } from '../client.ts';
import type { RequestPasswordResetBody, ResetPasswordBody } from '../schemas.ts';

/** `whence.passwordResets`. */
export class PasswordResetsResource extends Resource {
  /**
   * Ask for a new password: `POST /v1/password-resets`.
   *
   * Mails a link to the address, good for an hour and once; one that was mailed before is void then. The answer is the same whether the address is known or not. At most 3 such mails an hour to one address.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @example
   * // The answer is the same for an address that nobody has.
   * await page.passwordResets.request({ email });
   */
  request(body: RequestPasswordResetBody, options?: PostOptions): Call<void> {
    return this.client.call('POST', '/v1/password-resets', { body, options, reads: 'nothing' });
  }

  /**
   * Set a new password by a mailed link: `POST /v1/password-resets/complete`.
   *
   * Sets it, and ends all sessions of that person. Who has a second factor needs it as before.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `link-expired` (410)
   *
   * @example
   * await page.passwordResets.resetPassword({ token: resetToken, password: newPassword });
   */
  resetPassword(body: ResetPasswordBody, options?: PostOptions): Call<void> {
    return this.client.call('POST', '/v1/password-resets/complete', { body, options, reads: 'nothing' });
  }
}
