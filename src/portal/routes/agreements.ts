import type * as contract from '../contract/partner-agreement.ts';
import { collaboratorOf } from '#access/routes/session-answers.ts';
import { collaborators } from '#collaborators/store/read/collaborators.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { readPortal } from '#organizations/store/read/portals.ts';
import { type Answer, answer, answerFound, type HandlersFor, unchanged } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type AcceptanceOutcome, acceptAgreement } from '../commands/accept-agreement.ts';
import { changeAgreement } from '../commands/change-agreement.ts';
import {
  agreementAcceptances,
  type AgreementVersion,
  agreementVersions,
  findAcceptedAgreement,
  findNewestAgreement,
} from '../store/agreements.ts';

/** The handlers of calls about the partner agreement, for the merchant, applicants and collaborators. */
export const agreementHandlers: HandlersFor<typeof contract> = {
  getPartnerAgreement: async ({ tenant }) => answer(200, (await findNewestAgreement(tenant)) ?? NONE),

  changePartnerAgreement: async ({ auth: { author }, tenant, body: { text } }) => {
    const changed =
      text === undefined ? await findNewestAgreement(tenant) : await changeAgreement(tenant, text, author);
    return answer(200, changed ?? NONE);
  },

  listPartnerAgreementVersions: (request) => answerPage(request, agreementVersions),

  listAgreementAcceptances: async (request) => {
    const { id } = request.params;
    const collaborator = await readOne(request.tenant, collaborators, { id });
    if (collaborator === undefined) return problem('not-found');
    return answerPage(request, agreementAcceptances, { within: { collaboratorId: id } });
  },

  getOpenPortalAgreement: async ({ database, params: { slug } }) => {
    const portal = await readPortal(database, slug);
    if (portal === undefined) return problem('not-found');
    const { organizationId } = portal;
    const newest = await findNewestAgreement({ connection: database, organizationId });
    return answerFound(shownInForce(newest) ?? undefined);
  },

  getPortalAgreement: ({ auth, tenant }) => showAgreement(tenant, collaboratorOf(auth).collaboratorId),

  acceptPortalAgreement: async ({ auth, tenant, body: { version } }) => {
    const { collaboratorId } = collaboratorOf(auth);
    return answerAcceptance(await acceptAgreement(tenant, collaboratorId, version), () =>
      showAgreement(tenant, collaboratorId, 201),
    );
  },
};

/** The response if no version of the agreement was ever published. */
const NONE = { version: null, text: null, author: null, createdAt: null };

async function showAgreement(tenant: Tenant, id: CollaboratorId, status = 200): Promise<Answer> {
  const accepted = (await findAcceptedAgreement(tenant, id)) ?? null;
  return answer(status, { current: shownInForce(await findNewestAgreement(tenant)), accepted });
}

function shownInForce(newest: AgreementVersion | undefined): object | null {
  if (newest === undefined || newest.text === null) return null;
  const { version, text, createdAt: publishedAt } = newest;
  return { version, text, publishedAt };
}

async function answerAcceptance(outcome: AcceptanceOutcome, show: () => Promise<Answer>): Promise<Answer | Problem> {
  switch (outcome) {
    case 'accepted':
      return show();
    case 'already-accepted':
      return unchanged(await show());
    case 'outdated':
      return problem('invalid-transition', 'This version is not in force. Read the current version, and accept it.');
    case 'closed':
      return problem('invalid-transition', 'The account is closed. Contact the merchant.');
    default:
      return outcome satisfies never;
  }
}

/** The response if a collaborator creates a link or requests a payout before accepting the agreement in force. */
export const NOT_ACCEPTED = problem('invalid-transition', 'Accept the partner agreement first.');
