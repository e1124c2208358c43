import type { Examples } from '../example.ts';

export const configuration: Examples = {
  async getOrganization({ whence }) {
    const { name, tier } = await whence.organization.get();
    console.log(name, tier); // Example essentials
  },

  async changeOrganization({ whence }) {
    const { name } = await whence.organization.update({ name: 'Mugs Ltd' });
    console.log(name); // Mugs Ltd
  },

  async listApiKeys({ whence }) {
    for await (const { label, lastUsedAt } of whence.apiKeys.list({ kind: 'secret' })) console.log(label, lastUsedAt);
  },

  async createApiKey({ whence }) {
    const { rawKey } = await whence.apiKeys.create({ label: 'Checkout', scopes: ['events:write'] });
    // The key is shown only once.
    console.log(rawKey.slice(0, 8)); // sk_live_
  },

  async getApiKey({ whence, apiKeyId }) {
    const { label, scopes } = await whence.apiKeys.get(apiKeyId);
    console.log(label, scopes.join()); // Checkout events:write
  },

  async changeApiKey({ whence, apiKeyId }) {
    const { label } = await whence.apiKeys.update(apiKeyId, { label: 'Checkout, Berlin' });
    console.log(label); // Checkout, Berlin
  },

  async rotateApiKey({ whence, apiKeyId }) {
    // Both keys are valid for an hour, so that you can deploy the new key.
    const { id, rawKey } = await whence.apiKeys.rotate(apiKeyId, { overlapSeconds: 3_600 });
    console.log(id !== apiKeyId, rawKey.slice(0, 8)); // true sk_live_
  },

  async revokeApiKey({ whence, apiKeyId }) {
    const { revokedAt } = await whence.apiKeys.revoke(apiKeyId);
    console.log(revokedAt !== null); // true
  },

  async listCollaborators({ whence }) {
    for await (const collaborator of whence.collaborators.list({ status: 'active', sort: 'name' })) {
      console.log(collaborator.name);
    }
  },

  async createCollaborator({ whence }) {
    const ada = await whence.collaborators.create({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      aliases: [
        { type: 'tracking', code: 'ada' },
        { type: 'coupon', code: 'ADA10' },
      ],
    });
    console.log(ada.status); // active
  },

  async getCollaborator({ whence, collaboratorId }) {
    const { name } = await whence.collaborators.get(collaboratorId);
    console.log(name); // Ada Lovelace
  },

  async changeCollaborator({ whence, collaboratorId }) {
    const { status } = await whence.collaborators.update(collaboratorId, { status: 'inactive' });
    console.log(status); // inactive
  },

  async deleteCollaborator({ whence, collaboratorId }) {
    const { status } = await whence.collaborators.delete(collaboratorId);
    console.log(status); // deleted
  },

  async inviteCollaborator({ whence, collaboratorId }) {
    await whence.portalSettings.update({ slug: 'mugs-of-ada', landingUrl: 'https://mugs.example/' });
    const { email } = await whence.collaborators.invite(collaboratorId);
    console.log(email); // ada@example.com
  },

  async previewPortal({ whence, asPerson, collaboratorId }) {
    await whence.portalSettings.update({ slug: 'mugs-of-grace', landingUrl: 'https://mugs.example/' });
    const { url } = await asPerson.collaborators.previewPortal(collaboratorId);
    // The response sets the cookie of the preview.
    console.log(new URL(url).pathname); // /portal/mugs-of-grace/
  },

  async remindPayoutDetails({ whence, collaboratorId }) {
    await whence.portalSettings.update({ slug: 'adas-mugs', landingUrl: 'https://mugs.example/' });
    const outcomes = await whence.collaborators.remindPayoutDetails({ ids: [collaboratorId] });
    for (const { outcome } of outcomes) console.log(outcome); // reminded
  },

  async moveCollaborators({ whence, collaboratorId }) {
    const outcomes = await whence.collaborators.bulk({ action: 'deactivate', ids: [collaboratorId] });
    for (const { outcome, status } of outcomes) console.log(outcome, status); // changed inactive
  },

  async listCollaboratorNotes({ whence, collaboratorId }) {
    for await (const { text, author } of whence.collaborators.listNotes(collaboratorId)) console.log(text, author);
  },

  async addCollaboratorNote({ whence, collaboratorId }) {
    const { text } = await whence.collaborators.addNote(collaboratorId, { text: 'Wants a higher rate from January.' });
    console.log(text); // Wants a higher rate from January.
  },

  async deleteCollaboratorNote({ whence, collaboratorId }) {
    const { id } = await whence.collaborators.addNote(collaboratorId, { text: 'Call back on Monday.' });
    const { text } = await whence.collaborators.deleteNote(collaboratorId, id);
    console.log(text); // Call back on Monday.
  },

  async listAliases({ whence, collaboratorId }) {
    const { data } = await whence.collaborators.listAliases(collaboratorId, { sort: 'id' });
    console.log(data.map(({ type, code }) => `${type}:${code}`).join()); // tracking:ada,coupon:ADA10
  },

  async createAlias({ whence, collaboratorId }) {
    const alias = await whence.collaborators.createAlias(collaboratorId, { type: 'tracking', code: 'lovelace' });
    console.log(alias.status); // current
  },

  async moveAlias({ whence, collaboratorId }) {
    const { id: from, aliases } = await whence.collaborators.create({
      name: 'Grace',
      aliases: [{ type: 'tracking', code: 'grace-hopper' }],
    });
    console.log(aliases.length); // 1
    const [alias] = (await whence.collaborators.listAliases(from).page()).data;
    if (alias === undefined) throw new Error('The collaborator has no alias.');
    const moved = await whence.aliases.move(alias.id, {
      fromCollaboratorId: from,
      toCollaboratorId: collaboratorId,
    });
    console.log(moved.collaboratorId === collaboratorId); // true
  },

  async retireAlias({ whence, collaboratorId, aliasId }) {
    const alias = await whence.collaborators.retireAlias(collaboratorId, aliasId);
    console.log(alias.status); // retired
  },

  async listPrograms({ whence }) {
    for await (const program of whence.programs.list({ status: 'active' })) console.log(program.name);
  },

  async createProgram({ whence }) {
    const program = await whence.programs.create({
      name: 'Affiliates',
      reward: { type: 'percent', percent: 10 },
      windowDays: 30,
      approveAfterDays: 14,
    });
    console.log(program.attribution); // last-touch
  },

  async exampleProgram({ whence }) {
    const { words, explanation } = await whence.programs.example({
      name: 'Affiliates',
      reward: { type: 'percent', percent: 10 },
      sale: { total: 250 },
      touches: [{ collaborator: 'Ada', daysBefore: 3 }],
    });
    console.log(words[0]); // Partners earn 10% of each sale: of products, less discounts.
    console.log(explanation.candidates[0]?.share); // 2500
  },

  async getProgram({ whence, programId }) {
    const { name, version } = await whence.programs.get(programId);
    console.log(name, version); // Affiliates 1
  },

  async changeProgram({ whence, programId }) {
    const { version } = await whence.programs.update(programId, { reward: { type: 'percent', percent: 12.5 } });
    console.log(version); // 2
  },

  async deleteProgram({ whence, programId }) {
    const { status } = await whence.programs.delete(programId);
    console.log(status); // deleted
  },

  async listProgramVersions({ whence, programId }) {
    for await (const { version, reward } of whence.programs.listVersions(programId)) {
      console.log(version, reward.type); // 1 percent
    }
  },

  async listEnrollments({ whence, selectProgramId }) {
    for await (const { collaboratorId, status } of whence.programs.listEnrollments(selectProgramId)) {
      console.log(collaboratorId, status);
    }
  },

  async enrollCollaborator({ whence, programId, collaboratorId }) {
    await whence.programs.update(programId, { enrollment: 'selected' });
    await whence.programs.enrollCollaborator(programId, { collaboratorId });
  },

  async removeCollaborator({ whence, selectProgramId, collaboratorId }) {
    await whence.programs.removeCollaborator(selectProgramId, collaboratorId);
  },

  async listProgramGroups({ whence }) {
    for await (const group of whence.programGroups.list()) console.log(group.name, group.rule);
  },

  async createProgramGroup({ whence, programId, selectProgramId }) {
    // Only one of the programs in a group pays for a sale.
    await whence.programGroups.create({
      name: 'Referrals',
      rule: 'newest',
      programIds: [programId, selectProgramId],
    });
  },

  async getProgramGroup({ whence, programGroupId }) {
    const { rule } = await whence.programGroups.get(programGroupId);
    console.log(rule); // newest
  },

  async changeProgramGroup({ whence, programGroupId }) {
    const { rule } = await whence.programGroups.update(programGroupId, { rule: 'oldest' });
    console.log(rule); // oldest
  },

  async deleteProgramGroup({ whence, programGroupId }) {
    const { status } = await whence.programGroups.delete(programGroupId);
    console.log(status); // deleted
  },

  async listCustomEvents({ whence }) {
    for await (const { slug, name } of whence.customEvents.list()) console.log(slug, name);
  },

  async createCustomEvent({ whence, programId }) {
    const { slug } = await whence.customEvents.create({ slug: 'newsletter', name: 'Newsletter sign-up' });
    await whence.programs.update(programId, { triggers: { 'site-visit': 1, [slug]: 2 } });
  },

  async getCustomEvent({ whence, customEventId }) {
    const { slug } = await whence.customEvents.get(customEventId);
    console.log(slug); // newsletter
  },

  async deleteCustomEvent({ whence, customEventId }) {
    await whence.customEvents.delete(customEventId);
  },

  async listFraudListEntries({ whence }) {
    for await (const { kind, value } of whence.fraudListEntries.list({ list: 'deny' })) console.log(kind, value);
  },

  async createFraudListEntry({ whence }) {
    const entry = { list: 'deny', kind: 'network', value: '203.0.113.77/24', note: 'Click farm' } as const;
    const { value } = await whence.fraudListEntries.create(entry);
    console.log(value); // 203.0.113.0/24
  },

  async getFraudListEntry({ whence, fraudListEntryId }) {
    const { list } = await whence.fraudListEntries.get(fraudListEntryId);
    console.log(list); // deny
  },

  async deleteFraudListEntry({ whence, fraudListEntryId }) {
    const { status } = await whence.fraudListEntries.delete(fraudListEntryId);
    console.log(status); // deleted
  },
};
