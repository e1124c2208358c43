import type { Examples } from '../example.ts';

export const portal: Examples = {
  async getPortalSettings({ whence }) {
    const { slug, refParameter } = await whence.portalSettings.get();
    console.log(slug ?? 'closed', refParameter); // closed ref
  },

  async changePortalSettings({ whence, unusedSlug }) {
    const { url } = await whence.portalSettings.update({
      slug: unusedSlug,
      name: 'Ada’s Mugs',
      accent: '#0f766e',
      landingUrl: 'https://shop.example/',
      embedOrigins: ['https://shop.example'],
    });
    // The URL at which collaborators sign up and log in.
    console.log(url);
  },

  async listInvitationLinks({ whence, programId }) {
    for await (const { url, uses, status } of whence.invitationLinks.list({ programId }))
      console.log(url, uses, status);
  },

  async createInvitationLink({ whence, programId }) {
    const { uses, status } = await whence.invitationLinks.create({ programId, tags: ['podcast'], maxUses: 20 });
    console.log(uses, status); // 0 open
  },

  async revokeInvitationLink({ whence, programId }) {
    const { id } = await whence.invitationLinks.create({ programId });
    const { status } = await whence.invitationLinks.revoke(id);
    console.log(status); // revoked
  },

  async getPartnerAgreement({ whence }) {
    const { version } = await whence.partnerAgreement.get();
    console.log(version ?? 'none'); // none
  },

  async changePartnerAgreement({ whence }) {
    const text = '# Partner agreement\n\nDon’t bid on our brand name.';
    const { version } = await whence.partnerAgreement.update({ text });
    console.log(version); // 1
  },

  async listPartnerAgreementVersions({ whence }) {
    for await (const { version, author, createdAt } of whence.partnerAgreement.listVersions()) {
      console.log(version, author, createdAt);
    }
  },

  async listAgreementAcceptances({ whence, collaboratorId }) {
    for await (const { version, acceptedAt } of whence.collaborators.listAgreementAcceptances(collaboratorId)) {
      console.log(version, acceptedAt);
    }
  },

  async getPartnerEmails({ whence }) {
    const { kinds } = await whence.partnerEmails.get();
    console.log(kinds.includes('paid')); // true
  },

  async changePartnerEmails({ whence }) {
    const { kinds } = await whence.partnerEmails.update({ kinds: ['approved', 'paid'] });
    console.log(kinds.length); // 2
  },

  async listAnnouncements({ whence }) {
    for await (const { subject, recipients, createdAt } of whence.announcements.list()) {
      console.log(subject, recipients, createdAt);
    }
  },

  async countRecipients({ whence }) {
    const { count } = await whence.announcements.countRecipients({ tag: 'gold' });
    console.log(count); // 0
  },

  async sendAnnouncement({ whence, collaboratorId, unusedSlug }) {
    await whence.portalSettings.update({ slug: unusedSlug, landingUrl: 'https://shop.example/' });
    await whence.collaborators.update(collaboratorId, { email: 'ada@example.com' });
    const { recipients } = await whence.announcements.send({
      subject: 'Double commissions in December',
      text: 'From December 1 to 24, you earn twice as much.',
    });
    console.log(recipients > 0); // true
  },

  async testAnnouncement({ whence, asPerson, unusedSlug }) {
    await whence.portalSettings.update({ slug: unusedSlug, landingUrl: 'https://shop.example/' });
    await asPerson.announcements.test({ subject: 'News', text: 'Only you get this email.' });
  },

  async getProgramSignUp({ whence, programId }) {
    const { mode } = await whence.programs.getSignUp(programId);
    console.log(mode); // closed
  },

  async changeProgramSignUp({ whence, programId }) {
    const { mode } = await whence.programs.changeSignUp(programId, {
      mode: 'approval',
      fields: [{ label: 'Where will you tell people about us?', type: 'long-text', required: true }],
    });
    console.log(mode); // approval
  },

  async listSignUps({ whence }) {
    // Prints the programs and the answers of each pending collaborator.
    for await (const { id, name } of whence.collaborators.list({ status: 'pending' })) {
      for await (const signUp of whence.collaborators.listSignUps(id)) {
        console.log(name, signUp.programName, signUp.answers.map(({ value }) => value).join());
      }
    }
  },

  async getPayoutDetails({ whence, collaboratorId, asCollaborator }) {
    // Ada enters her payout details in the portal.
    await asCollaborator.portal.changeAccount({
      payoutDetails: { method: 'paypal', account: 'ada@example.com' },
    });
    const { method, account } = await whence.collaborators.getPayoutDetails(collaboratorId);
    console.log(method, account); // paypal ada@example.com
  },

  async getTaxDetails({ whence, collaboratorId }) {
    const { taxDetails } = await whence.collaborators.getTaxDetails(collaboratorId);
    if (taxDetails === null) console.log('Ada has not entered tax details yet.');
  },

  async changeTaxDetails({ whence, collaboratorId }) {
    const { taxDetails } = await whence.collaborators.changeTaxDetails(collaboratorId, {
      taxDetails: {
        status: 'individual',
        firstName: 'Ada',
        lastName: 'Lovelace',
        country: 'DE',
        street: 'Torstraße 1',
        city: 'Berlin',
        postalCode: '10119',
        tin: '36574261809',
        dateOfBirth: '1990-05-31',
      },
    });
    console.log(taxDetails?.tin); // ••••1809
  },

  async getPortal({ whence, slug }) {
    const { programs } = await whence.portals.get(slug);
    for (const { name, words } of programs) console.log(name, words.join(' '));
  },

  async getOpenPortalAgreement({ whence, slug }) {
    await whence.partnerAgreement.update({ text: 'Don’t bid on our brand name.' });
    const { version, text } = await whence.portals.getOpenAgreement(slug);
    console.log(version, text); // 1 Don’t bid on our brand name.
  },

  async previewInvitationLink({ whence, slug, programId }) {
    const { url } = await whence.invitationLinks.create({ programId });
    const token = new URL(url ?? '').hash.slice(1);
    const { name } = await whence.portals.previewInvitationLink(slug, { token });
    console.log(name); // Affiliates
  },

  async signUp({ whence, slug, programId }) {
    await whence.programs.changeSignUp(programId, { mode: 'open' });
    await whence.portals.signUp(slug, { programId, name: 'Bo', email: 'bo@example.com', code: 'bo' });
    // The email to bo@example.com has the link that confirms the address.
  },

  async requestPortalLink({ whence, slug }) {
    await whence.portals.requestLink(slug, { email: 'ada@example.com' });
    // If the address belongs to a collaborator, Whence emails a login link that is valid for 15 minutes.
  },

  async openPortalSession({ whence, slug, entryToken: token }) {
    const { collaborator } = await whence.portals.openSession(slug, { token });
    console.log(collaborator.name); // Ada Lovelace
  },

  async challengePortalSession({ whence, slug }) {
    const options = await whence.portals.challengeSession(slug);
    console.log(options['userVerification']); // required
  },

  async openPortalSessionByPasskey({ whence, slug, adasAuthenticator: authenticator }) {
    const response = authenticator.get(await whence.portals.challengeSession(slug));
    const { collaborator } = await whence.portals.openSessionByPasskey(slug, { response });
    console.log(collaborator.name); // Ada Lovelace
  },

  async getPortalSession({ asCollaborator: whence }) {
    const { collaborator } = await whence.portal.getSession();
    console.log(collaborator.status); // active
  },

  async closePortalSession({ asCollaborator: whence }) {
    await whence.portal.closeSession();
  },

  async listPortalSessions({ asCollaborator: whence }) {
    for await (const { userAgent, lastSeenAt, current } of whence.portal.listSessions()) {
      console.log(userAgent, lastSeenAt, current);
    }
  },

  async endPortalSession({ asCollaborator: whence }) {
    for await (const { id, current } of whence.portal.listSessions()) {
      if (!current) await whence.portal.endSession(id);
    }
  },

  async getPortalAccount({ asCollaborator: whence }) {
    const { name, payoutDetails } = await whence.portal.getAccount();
    console.log(name, payoutDetails?.account ?? 'not given'); // Ada Lovelace not given
  },

  async getPortalAgreement({ whence: merchant, asCollaborator: whence }) {
    await merchant.partnerAgreement.update({ text: 'Don’t bid on our brand name.' });
    const { current, accepted } = await whence.portal.getAgreement();
    console.log(current?.version, accepted === null); // 1 true
  },

  async acceptPortalAgreement({ whence: merchant, asCollaborator: whence }) {
    await merchant.partnerAgreement.update({ text: 'Don’t bid on our brand name.' });
    const { accepted } = await whence.portal.acceptAgreement({ version: 1 });
    console.log(accepted?.version); // 1
  },

  async getPortalEmails({ asCollaborator: whence }) {
    const { muted } = await whence.portal.getEmails();
    console.log(muted.length); // 0
  },

  async changePortalEmails({ asCollaborator: whence }) {
    const { muted } = await whence.portal.changeEmails({ muted: ['first-click'] });
    console.log(muted.join()); // first-click
  },

  async changePortalAccount({ asCollaborator: whence }) {
    const { payoutDetails } = await whence.portal.changeAccount({
      payoutDetails: { method: 'iban', holder: 'Ada Lovelace', account: 'DE89 3704 0044 0532 0130 00' },
    });
    console.log(payoutDetails?.account); // ••••3000
  },

  async getPortalTaxDetails({ asCollaborator: whence }) {
    const { setting, taxDetails } = await whence.portal.getTaxDetails();
    if (setting === 'required' && taxDetails === null) console.log('You can’t be paid without tax details.');
  },

  async changePortalTaxDetails({ whence: merchant, asCollaborator: whence }) {
    await merchant.payoutSettings.update({ taxDetails: 'asked' });
    const { taxDetails } = await whence.portal.changeTaxDetails({
      taxDetails: {
        status: 'business',
        legalName: 'Ada’s Reviews LLC',
        country: 'US',
        street: '1 Main St',
        city: 'Springfield',
        region: 'IL',
        postalCode: '62701',
        tin: '12-3456789',
      },
    });
    console.log(taxDetails?.tin); // ••••6789
  },

  async listPortalPasskeys({ asCollaborator: whence }) {
    for await (const { name, lastUsedAt } of whence.portal.listPasskeys()) console.log(name, lastUsedAt);
  },

  async challengePortalPasskey({ asCollaborator: whence }) {
    const options = await whence.portal.challengePasskey();
    console.log((options['rp'] as { name: string }).name); // Whence
  },

  async createPortalPasskey({ asCollaborator: whence, authenticator }) {
    const response = authenticator.create(await whence.portal.challengePasskey());
    const { name } = await whence.portal.createPasskey({ name: 'Phone', response });
    console.log(name); // Phone
  },

  async deletePortalPasskey({ asCollaborator: whence, portalPasskeyId }) {
    await whence.portal.deletePasskey(portalPasskeyId);
  },

  async listPortalLinks({ asCollaborator: whence }) {
    for (const { url, code, visits } of await whence.portal.listLinks()) {
      console.log(url ?? code, visits); // https://shop.example/?ref=ada 0
    }
  },

  async createPortalLink({ asCollaborator: whence }) {
    const { url } = await whence.portal.createLink({ subId: 'newsletter' });
    console.log(url); // https://shop.example/?ref=ada.newsletter
  },

  async retirePortalLink({ asCollaborator: whence }) {
    const { id } = await whence.portal.createLink({ subId: 'newsletter' });
    await whence.portal.retireLink(id);
  },

  async listPortalConversions({ asCollaborator: whence, conversionId }) {
    for await (const { id, amount, words } of whence.portal.listConversions()) {
      console.log(id === conversionId, amount, words); // true 500 Waiting for approval.
    }
  },

  async getPortalFigures({ asCollaborator: whence, today, tomorrow }) {
    const { rows } = await whence.portal.getFigures({ from: today, until: tomorrow, by: 'day' });
    console.log(rows[0]?.visits); // 0
  },

  async getPortalBalance({ asCollaborator: whence, payoutId }) {
    for (const { currency, inPayout } of await whence.portal.getBalance()) {
      console.log(payoutId > 0, currency, inPayout); // true USD 500
    }
  },

  async listPortalPayouts({ asCollaborator: whence, paidPayoutId }) {
    for await (const { id, amount, status } of whence.portal.listPayouts()) {
      console.log(id === paidPayoutId, amount, status); // true 500 paid
    }
  },

  async getPortalPayoutRequests({ asCollaborator: whence }) {
    const { minimum, requests } = await whence.portal.getPayoutRequests();
    if (minimum !== null) console.log(requests.length);
  },

  async requestPortalPayout({ whence: merchant, asCollaborator: whence, conversionId }) {
    await merchant.payoutSettings.update({ requestMinimum: 100 });
    await merchant.conversions.approve(conversionId);
    await whence.portal.changeAccount({ payoutDetails: { method: 'paypal', account: 'ada@example.com' } });
    const { currency } = await whence.portal.requestPayout({ currency: 'USD' });
    console.log(currency); // USD
  },

  async getPortalStatement({ asCollaborator: whence, paidPayoutId }) {
    const { currencies } = await whence.portal.getStatement();
    console.log(paidPayoutId > 0, currencies[0]?.closing); // true 0
  },

  async downloadPortalStatement({ asCollaborator: whence }) {
    const file = await whence.portal.downloadStatement({ from: '2026-01-01T00:00:00Z' });
    console.log(file.split('\r\n')[0]); // time,kind,currency,amount,effect,balance,conversion,payout
  },
};
