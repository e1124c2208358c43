import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keysOf, type Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { servedDocument } from '../support/documented-answers.ts';
import { makePerson, type Member } from '../support/people.ts';
import { type Collaborator, newNetwork, openMailbox, openPortal } from '../support/portal.ts';
import { problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { type Role, ROLES } from '#core/caller.ts';

/*
 * Checks for every call which roles may make it. The calls are read from the operation table, so a test fails until each
 * new call is listed here. A call by a permitted caller can still fail, because its body is invalid JSON or its id is
 * unknown. Other callers are refused before anything else is checked.
 */

/** The calls of each scope. `account`: any logged-in person, `portal`: collaborators, `open`: no login needed. */
const CALLS_OF: Readonly<Record<string, string>> = {
  'events:write': `
    reportVisit reportSale reportRefund reportCouponApplied reportCustomEvent reportEvent reportLead reportRenewal
    reportRefundReversal reportSaleCorrection`,
  'resources:read': `
    getOrganization listApiKeys getApiKey listCollaborators getCollaborator listCollaboratorNotes listAliases listPrograms
    exampleProgram getProgram listProgramVersions listEnrollments listProgramGroups getProgramGroup
    listCustomEvents getCustomEvent listFraudListEntries getFraudListEntry listOpportunities getOpportunity getJourney listEngagements
    getEngagement listTransactions totalTransactions getTransaction explainTransaction listConversions totalConversions getConversion
    explainConversion listObligations getObligation listFulfillments previewFulfillments getFulfillment listPaymentFiles getPayerAccount previewPayoutResults getPayoutSettings listPayoutRequests
    listPayouts getPayout exportPayouts getBalance listBalances getOwed getStatement downloadStatement
    listLedgerEntries getLedgerCheckpoint listEvents getEvent getFigures listFiguresByCollaborator getCollaboratorSignals listExchangeRates listWebhooks getWebhook
    listWebhookDeliveries getWebhookDelivery listConnectors getConnector listConnectorEvents getConnectorEvent reconcileConnector listAuditEntries getAuditEntry exportVisitor listPeople
    getPerson listInvitations getPortalSettings getPartnerEmails listAnnouncements countRecipients listMaterials getMaterial getProgramSignUp listSignUps
    getPartnerAgreement listPartnerAgreementVersions listAgreementAcceptances listBacktests getBacktest exportBacktest`,
  'resources:write': `
    createCollaborator changeCollaborator deleteCollaborator moveCollaborators addCollaboratorNote deleteCollaboratorNote createAlias retireAlias
    moveAlias
    createProgram changeProgram deleteProgram enrollCollaborator removeCollaborator createProgramGroup
    changeProgramGroup deleteProgramGroup createCustomEvent deleteCustomEvent createFraudListEntry deleteFraudListEntry creditTransaction testTransaction
    approveConversion releaseConversion rejectConversion reviewConversions createFulfillments
    processFulfillment completeFulfillment failFulfillment markPayoutPaid markPayoutUnpaid markPayouts
    reviewPayout reviewManyPayouts inviteCollaborator remindPayoutDetails retryEvent createWebhook changeWebhook deleteWebhook rotateWebhookSecret testWebhook
    createConnector changeConnector deleteConnector rotateConnectorSecret retryConnectorEvent dismissConnectorEvent recordListedOrders
    redeliver eraseVisitor exportCollaborator eraseCollaborator changePortalSettings changePartnerEmails sendAnnouncement changeProgramSignUp
    getPayoutDetails downloadPaymentFile changePayerAccount failPayout importPayoutResults changePayoutSettings createInvitationLink listInvitationLinks revokeInvitationLink
    changePartnerAgreement createMaterial changeMaterial deleteMaterial
    getTaxDetails changeTaxDetails exportPaidYear previewPortal saveExchangeRates importExchangeRates
    backtestProgram createBacktest cancelBacktest`,
  'keys:write': `
    changeOrganization createApiKey changeApiKey revokeApiKey rotateApiKey`,
  'people:write': `
    changePerson removePerson createInvitation revokeInvitation`,
  account: `
    getSession closeSession getAccount changeAccount getDigest changeDigest requestAddressConfirmation testAnnouncement changePassword listSessions endSession startTotp
    confirmTotp removeTotp listPasskeys createPasskey challengePasskey deletePasskey`,
  portal: `
    getPortalSession closePortalSession listPortalSessions endPortalSession getPortalAccount
    changePortalAccount getPortalTaxDetails changePortalTaxDetails getPortalAgreement acceptPortalAgreement getPortalEmails changePortalEmails listPortalPasskeys createPortalPasskey challengePortalPasskey deletePortalPasskey
    listPortalLinks createPortalLink retirePortalLink listPortalMaterials listPortalConversions getPortalFigures
    getPortalBalance getPortalPayoutRequests requestPortalPayout listPortalPayouts getPortalStatement downloadPortalStatement`,
  open: `
    previewInvitation acceptInvitation openSession challengeSession openSessionByPasskey
    requestPasswordReset resetPassword getPortal getOpenPortalAgreement previewInvitationLink signUp requestPortalLink openPortalSession
    challengePortalSession openPortalSessionByPasskey`,
};
const SCOPES_OF: Readonly<Record<Role, readonly string[]>> = {
  owner: ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write', 'account'],
  manager: ['events:write', 'resources:read', 'resources:write', 'account'],
  viewer: ['resources:read', 'account'],
};
const SCOPE_OF = new Map(
  Object.entries(CALLS_OF).flatMap(([scope, ids]) =>
    ids
      .trim()
      .split(/\s+/)
      .map((id) => [id, scope] as const),
  ),
);

/** All operations. The operations that log out are last, because later requests would have no session. */
const CALLS = Object.entries<Operation>(operations).sort(
  ([one], [other]) => Number(isLogOut(one)) - Number(isLogOut(other)),
);
const document = servedDocument('X-Service');
const UNKNOWN = '8999999';
const PARTNER = 'partner@mugs.example';

function isLogOut(id: string): boolean {
  return id === 'closeSession' || id === 'closePortalSession';
}

/** Returns the operation’s example body from the OpenAPI document, or undefined if the operation has no body. */
function bodyOf({ path, method, body }: Operation): unknown {
  if (body === undefined) return undefined;
  const described = document.paths[path]?.[method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { example: unknown }> };
  };
  return described.requestBody.content['application/json']?.example;
}

function pathOf({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, UNKNOWN);
}

describe('permissions of roles for every call', () => {
  let service: TestService;
  let people: Readonly<Record<Role, Member>>;
  let collaborator: Collaborator;
  before(async () => {
    service = await startService();
    const made = await Promise.all(ROLES.map((role) => makePerson(service, role, `${role}@mugs.example`)));
    const { secretKey: key } = service;
    const partner = await service.request('POST', '/v1/collaborators', {
      key,
      body: { name: 'Partner', email: PARTNER },
    });
    assert.equal(partner.status, 201);
    collaborator = await (await openPortal(service, await openMailbox(service), 'mugs', key)).enter(PARTNER);
    people = Object.fromEntries(ROLES.map((role, at) => [role, made[at]])) as Record<Role, Member>;
  });
  after(() => service.stop());

  const send = (operation: Operation, headers: Record<string, string>, key?: string): Promise<Reply> =>
    service.request(operation.method, pathOf(operation), {
      key,
      body: bodyOf(operation),
      headers: { 'x-forwarded-for': newNetwork(), ...headers },
    });
  /**
   * Asserts that a permitted caller is not refused. Sends invalid JSON if the call has a body, so that the call changes
   * nothing.
   */
  const assertPermitted = async (operation: Operation, headers: Record<string, string>, who: string): Promise<void> => {
    const reply =
      operation.method === 'GET' || operation.body === undefined
        ? await send(operation, headers)
        : await service.request(operation.method, pathOf(operation), {
            body: '{',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': newNetwork(), ...headers },
          });
    assert.ok(![401, 403].includes(reply.status) && reply.status < 500, `${who}: ${reply.status} ${reply.text}`);
  };
  const refusal = ({ status, ...reply }: Reply): string => `${status} ${problemCode({ status, ...reply })}`;

  it('every call has a permission listed in this test', () => {
    assert.deepEqual(CALLS.map(([id]) => id).sort(), [...SCOPE_OF.keys()].sort());
  });

  for (const [id, operation] of CALLS.filter(([id]) => SCOPE_OF.get(id) !== 'open')) {
    const keys = keysOf(operation);
    const scope = SCOPE_OF.get(id) ?? 'nobody';
    it(`${id}: accepts only callers with the permission ${scope}`, async () => {
      const { owner } = people;
      assert.equal(refusal(await send(operation, {})), '401 unauthenticated', 'nobody');
      for (const headers of [
        { cookie: owner.cookie, 'sec-fetch-site': 'cross-site' },
        // Both session tokens are valid, but the console’s token is in the portal’s cookie, and vice versa.
        { cookie: owner.cookie.replace('whence=', 'whence-portal='), 'sec-fetch-site': 'same-origin' },
        { cookie: collaborator.cookie.replace('whence-portal=', 'whence='), 'sec-fetch-site': 'same-origin' },
        { cookie: owner.cookie.slice(0, -1), 'sec-fetch-site': 'same-origin' },
      ])
        assert.equal(refusal(await send(operation, headers)), '401 unauthenticated', JSON.stringify(headers));
      const partner = { cookie: collaborator.cookie, 'sec-fetch-site': 'same-origin' };
      if (scope === 'portal') await assertPermitted(operation, partner, 'a collaborator');
      else assert.equal(refusal(await send(operation, partner)), '401 unauthenticated', 'a collaborator');
      // A preview of the portal sets a session cookie in the browser, so API keys can't start a preview.
      const isForKeys = scope !== 'account' && scope !== 'portal' && id !== 'previewPortal';
      assert.equal(keys.includes('secret'), isForKeys, 'a secret key');
      assert.equal(keys.includes('publishable'), id === 'reportVisit', 'a publishable key');
      if (keys.length === 0) {
        assert.equal(refusal(await send(operation, {}, service.secretKey)), '403 scope-required', 'no key');
      }
      for (const role of ROLES) {
        const headers = { cookie: people[role].cookie, 'sec-fetch-site': 'same-origin' };
        if (scope === 'portal') assert.equal(refusal(await send(operation, headers)), '401 unauthenticated', role);
        else if (SCOPES_OF[role].includes(scope)) await assertPermitted(operation, headers, role);
        else assert.equal(refusal(await send(operation, headers)), '403 scope-required', role);
      }
    });
  }

  for (const [id, operation] of CALLS.filter(([id]) => SCOPE_OF.get(id) === 'open')) {
    it(`${id}: needs no login, and its response is not cached`, async () => {
      const reply = await send(operation, {});
      if (reply.status >= 400)
        assert.ok(!['unauthenticated', 'scope-required'].includes(problemCode(reply)), reply.text);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    });
  }
});
