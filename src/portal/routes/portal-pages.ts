import type * as portalLinkContract from '../contract/portal-link.ts';
import type * as portalSessionContract from '../contract/portal-session.ts';
import { COUNTED_DAYS } from '../contract/portal-link.ts';
import type { DetailsFault } from '#collaborators/domain/payout-details.ts';
import { faultAt, invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import type { AliasId } from '#core/ids.ts';
import { addToDay, dayIn } from '#core/time-zone.ts';
import { allowedOrigins, canOpen, linkOf, MAX_LINKS, pageOf, subIdOf } from '../domain/portal-link.ts';
import { shortLinkOf, withoutTracking } from '../domain/short-link.ts';
import { changePortalAccount } from '../commands/change-portal-account.ts';
import { createPortalLink, type PortalLinkCreation } from '../commands/create-portal-link.ts';
import { endSession } from '#access/commands/end-session.ts';
import { type PortalLinkRetirementOutcome, retirePortalLink } from '../commands/retire-portal-link.ts';
import { type FigureRow, readFigures } from '#reporting/store/read/figures.ts';
import { type PortalCode, readPortalCodes } from '../store/read/portal-links.ts';
import { readPortalAccount, readPortalSession } from '../store/read/portal-session.ts';
import { readTimeZone } from '#organizations/store/read/organizations.ts';
import { type OpenPortal, readPortalOf } from '#organizations/store/read/portals.ts';
import { sessions } from '#access/store/read/sessions.ts';
import { findAgreementToAccept } from '../store/agreements.ts';
import { NOT_ACCEPTED } from './agreements.ts';
import {
  type Answer,
  answer,
  answerFound,
  answerOutcome,
  type HandlersFor,
  unchanged,
} from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { showPortalSession } from './portal-session-answer.ts';
import { collaboratorOf, type Site, throttledProblem } from '#access/routes/session-answers.ts';

/** Returns the handlers for a collaborator's own session, account and links. */
export function portalPageHandlers({
  secrets,
  cookies,
  publicUrl,
}: Site): HandlersFor<typeof portalLinkContract & typeof portalSessionContract> {
  return {
    getPortalSession: async ({ auth, tenant }) => {
      const { collaboratorId: id, sessionId } = collaboratorOf(auth);
      const session = await readPortalSession(tenant, id, sessionId);
      return session === undefined ? OUTSIDE : answer(200, showPortalSession(session));
    },

    closePortalSession: async ({ auth, tenant }) => {
      const { collaboratorId: id, sessionId } = collaboratorOf(auth);
      await endSession(tenant, { kind: 'collaborator', collaboratorId: id }, sessionId);
      return answer(200, undefined, { headers: { 'set-cookie': cookies.end('collaborator') } });
    },

    listPortalSessions: (request) => {
      const { collaboratorId, sessionId } = collaboratorOf(request.auth);
      return answerPage(request, sessions, {
        within: { collaboratorId },
        show: (items) => items.map((each) => ({ ...each, current: each.id === sessionId })),
      });
    },

    endPortalSession: async ({ auth, tenant, params: { id } }) => {
      const { collaboratorId } = collaboratorOf(auth);
      const holder = { kind: 'collaborator', collaboratorId } as const;
      return (await endSession(tenant, holder, id)) ? answer(200) : problem('not-found');
    },

    getPortalAccount: async ({ auth, tenant }) =>
      answerFound(await readPortalAccount(tenant, secrets, collaboratorOf(auth).collaboratorId)),

    changePortalAccount: async ({ auth, tenant, body: { name, payoutDetails } }) => {
      const { collaboratorId: id } = collaboratorOf(auth);
      const changing = await changePortalAccount(tenant, secrets, id, { name, payoutDetails });
      if (changing.kind === 'masked') return MASKED;
      if (changing.kind === 'faulty') return detailsFaults(changing.faults);
      if (changing.kind === 'throttled') return throttledProblem(changing);
      return answerFound(await readPortalAccount(tenant, secrets, id));
    },

    listPortalLinks: async ({ auth, tenant }) => {
      const { collaboratorId: id } = collaboratorOf(auth);
      const portal = await readPortalOf(tenant);
      if (portal === undefined) return OUTSIDE;
      const codes = await readPortalCodes(tenant, id, MAX_LINKS);
      const request = {
        ...lately(await readTimeZone(tenant)),
        by: 'link',
        filters: { collaboratorId: id },
        limit: MAX_ROWS,
      } as const;
      const { rows } = await readFigures(tenant, request);
      const counted = new Map(rows.map((row) => [row.linkId, row]));
      return answer(
        200,
        shownCodes(portal, publicUrl(), codes).map((shown) => ({ ...shown, ...countsOf(counted.get(shown.id)) })),
      );
    },

    createPortalLink: async ({ auth, tenant, body: { subId, pageUrl } }) => {
      const portal = await readPortalOf(tenant);
      if (portal === undefined) return OUTSIDE;
      if (pageUrl !== undefined && subId === undefined) return NO_SUB_ID;
      if (pageUrl !== undefined && !canOpen(portal, pageUrl)) return otherSite(portal);
      const link = { subId, pageUrl: pageUrl === undefined ? null : withoutTracking(pageUrl) };
      const { collaboratorId } = collaboratorOf(auth);
      if ((await findAgreementToAccept(tenant, collaboratorId)) !== null) return NOT_ACCEPTED;
      const created = await createPortalLink(tenant, secrets, collaboratorId, link);
      return answerCreation((each) => shownCode(portal, publicUrl(), each), created);
    },

    retirePortalLink: async ({ auth, tenant, params: { id } }) =>
      answerRetiring(await retirePortalLink(tenant, collaboratorOf(auth).collaboratorId, id)),
  };
}

/** The response if the portal was closed, or the collaborator lost access, after the request was authenticated. */
const OUTSIDE = problem('unauthenticated', 'You no longer have access to this portal. Contact the merchant.', {
  headers: { 'www-authenticate': 'Session' },
});

const MASKED = faultAt(
  '/payoutDetails/account',
  'masked',
  'This masked account number differs from the stored number. Send the full number.',
);

const NO_SUB_ID = faultAt('/subId', 'required', 'A link to a page needs a sub-id. Send a subId.');

function otherSite({ landingUrl, linkOrigins }: OpenPortal): Problem {
  const sites = allowedOrigins(landingUrl, linkOrigins).join(', ');
  return faultAt('/pageUrl', 'not-applicable', `This must be a page of ${sites}. Send another page.`);
}

function detailsFaults(faults: readonly DetailsFault[]): Problem {
  return invalidRequest(faults.map(({ field, ...fault }) => ({ pointer: `/payoutDetails/${field}`, ...fault })));
}

/** The maximum number of rows of figures. It exceeds MAX_LINKS, because retired links have figures too. */
const MAX_ROWS = 1_000;

function lately(timeZone: string): { readonly from: string; readonly until: string } {
  const until = addToDay(dayIn(timeZone, Date.now()), 1);
  return { from: addToDay(until, -COUNTED_DAYS), until };
}

function countsOf(row: FigureRow | undefined): { readonly visits: number; readonly conversions: number } {
  return { visits: row?.visits ?? 0, conversions: row?.conversions ?? 0 };
}

type ShownCode = { readonly id: AliasId };

function shownCode(
  portal: OpenPortal,
  publicUrl: string,
  { id, codes }: { readonly id: AliasId; readonly codes: readonly PortalCode[] },
): ShownCode | undefined {
  return shownCodes(portal, publicUrl, codes).find((code) => code.id === id);
}

function shownCodes(portal: OpenPortal, publicUrl: string, codes: readonly PortalCode[]): ShownCode[] {
  const { refParameter, linkDomain } = portal;
  return codes.map(({ id, type, code, mainCode, pageUrl, createdAt }) => {
    const isLink = type === 'tracking';
    const url = isLink ? linkOf(pageOf(portal, pageUrl), refParameter, code) : null;
    const shortUrl = isLink && linkDomain !== null ? shortLinkOf(publicUrl, linkDomain, code, mainCode) : null;
    const subId = subIdOf(code, mainCode) ?? null;
    return { id, type: isLink ? 'link' : 'coupon', code, subId, url, shortUrl, pageUrl, createdAt };
  });
}

type Created = Extract<PortalLinkCreation, { readonly codes: unknown }>;

function answerCreation(
  show: (created: Created) => ShownCode | undefined,
  created: PortalLinkCreation,
): Answer | Problem {
  return answerOutcome(created, {
    created: (created) => answer(201, show(created)),
    existing: (created) => unchanged(answer(201, show(created))),
    forbidden: ({ status }) =>
      problem(
        'invalid-transition',
        `Only active partners can create links. Your account is ${status}. Contact the merchant.`,
      ),
    taken: problem('code-taken', 'This sub-id can’t be used. Choose another sub-id.'),
    'too-long': faultAt('/subId', 'too-long', 'The code would be too long with this sub-id. Choose a shorter sub-id.'),
    throttled: throttledProblem,
    'too-many': problem(
      'too-many-links',
      `There are already ${MAX_LINKS} active links and coupons. Retire a link first.`,
    ),
  });
}

function answerRetiring(retiring: PortalLinkRetirementOutcome): Answer | Problem {
  switch (retiring) {
    case 'retired':
      return answer(200);
    case 'already-retired':
      return unchanged(answer(200));
    case 'unknown':
      return problem('not-found');
    case 'forbidden':
      return problem('invalid-transition', 'Only the merchant can retire this link. Contact the merchant.');
    default:
      return retiring satisfies never;
  }
}
