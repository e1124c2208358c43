import type { Examples } from '../example.ts';

export const people: Examples = {
  async listPeople({ whence }) {
    for await (const { name, role, twoFactor } of whence.people.list()) console.log(name, role, twoFactor);
  },

  async getPerson({ whence, personId }) {
    const { name, status } = await whence.people.get(personId);
    console.log(name, status); // Grace Hopper active
  },

  async changePerson({ whence, personId }) {
    const { role } = await whence.people.update(personId, { role: 'viewer' });
    console.log(role); // viewer
  },

  async removePerson({ whence, personId }) {
    const { status } = await whence.people.remove(personId);
    console.log(status); // removed
  },

  async listInvitations({ whence }) {
    for await (const { email, status, expiresAt } of whence.invitations.list()) console.log(email, status, expiresAt);
  },

  async createInvitation({ whence, newEmail }) {
    const { url } = await whence.invitations.create({ email: newEmail, role: 'manager' });
    // The link was also emailed. No other response of the API contains the link.
    console.log(url);
  },

  async revokeInvitation({ whence, newEmail }) {
    const { id } = await whence.invitations.create({ email: newEmail, role: 'manager' });
    const { status } = await whence.invitations.revoke(id);
    console.log(status); // revoked
  },

  async previewInvitation({ page, invitationToken }) {
    const { organization, role } = await page.invitations.preview({ token: invitationToken });
    console.log(organization, role); // Example owner
  },

  async acceptInvitation({ page, invitationToken, password }) {
    const { person } = await page.invitations.accept({
      token: invitationToken,
      name: 'Grace Hopper',
      password,
    });
    console.log(person.name, person.role); // Grace Hopper owner
  },

  async openSession({ page, email, password }) {
    const { person } = await page.sessions.open({ email, password });
    console.log(person.name); // Grace Hopper
  },

  async challengeSession({ page }) {
    const options = await page.sessions.challenge();
    // In the page, pass the options to startAuthentication({ optionsJSON: options }) of @simplewebauthn/browser.
    console.log(options['userVerification']); // required
  },

  async openSessionByPasskey({ page, personsAuthenticator }) {
    const response = personsAuthenticator.get(await page.sessions.challenge());
    const { person } = await page.sessions.openByPasskey({ response });
    console.log(person.name); // Grace Hopper
  },

  async requestPasswordReset({ page, email }) {
    // The response is the same for an unknown email address.
    await page.passwordResets.request({ email });
  },

  async resetPassword({ page, resetToken, newPassword }) {
    await page.passwordResets.resetPassword({ token: resetToken, password: newPassword });
  },

  async getSession({ asPerson }) {
    const { person, organization, scopes } = await asPerson.session.get();
    console.log(person.name, organization.name); // Grace Hopper Example
    console.log(scopes.join());
  },

  async closeSession({ asPerson }) {
    await asPerson.session.close();
  },

  async getAccount({ asPerson }) {
    const { name, passkeys } = await asPerson.account.get();
    console.log(name, passkeys); // Grace Hopper 0
  },

  async changeAccount({ asPerson }) {
    const { name } = await asPerson.account.update({ name: 'Rear Admiral Hopper' });
    console.log(name); // Rear Admiral Hopper
  },

  async getDigest({ asPerson }) {
    const { frequency, addressConfirmed } = await asPerson.account.getDigest();
    console.log(frequency, addressConfirmed); // weekly false
  },

  async changeDigest({ asPerson }) {
    const { frequency } = await asPerson.account.changeDigest({ frequency: 'daily' });
    console.log(frequency); // daily
  },

  async requestAddressConfirmation({ asPerson }) {
    await asPerson.account.requestAddressConfirmation();
  },

  async changePassword({ asPerson, password, newPassword }) {
    // This also ends all other sessions of the person.
    await asPerson.account.changePassword({ current: password, password: newPassword });
  },

  async listSessions({ asPerson }) {
    for await (const { userAgent, lastSeenAt, current } of asPerson.account.listSessions()) {
      console.log(userAgent, lastSeenAt, current);
    }
  },

  async endSession({ asPerson }) {
    for await (const { id, current } of asPerson.account.listSessions()) {
      if (!current) await asPerson.account.endSession(id);
    }
  },

  async startTotp({ asPerson }) {
    const { secret, uri } = await asPerson.account.startTotp();
    // Show the URI as a QR code, and the secret to people who type it in.
    console.log(secret, uri);
  },

  async confirmTotp({ asPerson, codeOf }) {
    const { secret } = await asPerson.account.startTotp();
    const { recoveryCodes } = await asPerson.account.confirmTotp({ code: await codeOf(secret) });
    console.log(recoveryCodes.length); // 10
  },

  async removeTotp({ asPerson, codeOf }) {
    const { secret } = await asPerson.account.startTotp();
    const { recoveryCodes } = await asPerson.account.confirmTotp({ code: await codeOf(secret) });
    await asPerson.account.removeTotp({ code: recoveryCodes[0] ?? '' });
    console.log((await asPerson.account.get()).twoFactor); // false
  },

  async listPasskeys({ asPerson }) {
    for await (const { name, lastUsedAt } of asPerson.account.listPasskeys()) console.log(name, lastUsedAt);
  },

  async challengePasskey({ asPerson }) {
    const options = await asPerson.account.challengePasskey();
    // In the page, pass the options to startRegistration({ optionsJSON: options }) of @simplewebauthn/browser.
    console.log(options['attestation']); // none
  },

  async createPasskey({ asPerson, authenticator }) {
    const response = authenticator.create(await asPerson.account.challengePasskey());
    const { name } = await asPerson.account.createPasskey({ name: 'Phone', response });
    console.log(name); // Phone
  },

  async deletePasskey({ asPerson, passkeyId }) {
    await asPerson.account.deletePasskey(passkeyId);
    console.log((await asPerson.account.get()).passkeys); // 0
  },
};
