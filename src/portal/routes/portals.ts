import type * as contract from '../contract/portal.ts';
import { faultAt, invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { jsonText } from '#core/contract/json-text.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { summarizeTerms } from '#programs/wording/program-words.ts';
import { openPortalSession, type EntryProof, type OpenedPortal } from '../commands/open-portal-session.ts';
import { type Entrance, type EntryLinkOutcome, queueEntryLinks, postSignUp } from '../commands/queue-entry-links.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { readPortal } from '#organizations/store/read/portals.ts';
import { readPortalSession } from '../store/read/portal-session.ts';
import { MAX_OFFERED, type OfferedProgram, readOfferedPrograms } from '../store/read/sign-ups.ts';
import { findAgreementInForce } from '../store/agreements.ts';
import type { AgreementFault } from '../domain/partner-agreement.ts';
import { sharedReads } from '#platform/http/shared-reads.ts';
import { type Answer, answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { brandOf, showPortalSession } from './portal-session-answer.ts';
import { browserOf, LINK_EXPIRED, type Site, throttledProblem } from '#access/routes/session-answers.ts';

/** Returns the handlers of portal calls that need no login. */
export function openPortalHandlers({ secrets, publicUrl, cookies }: Site): HandlersFor<typeof contract> {
  const shareReads = sharedReads<Answer | Problem>();
  return {
    // Anyone can load a portal, and its programs can be long, so visitors share the work and the bytes.
    getPortal: ({ database, params: { slug } }) => shareReads(slug, () => answerPortal(database, slug)),

    signUp: async ({
      auth,
      database,
      params: { slug },
      body: { answers = [], code, agreementVersion, invitation, ...body },
    }) => {
      const entrance = await entranceOf(database, slug);
      if (entrance === undefined) return problem('not-found');
      const signUp = { ...body, answers, code: code ?? null, agreementVersion };
      const posting = await postSignUp(database, secrets, entrance, { signUp, invitation }, auth.network);
      return answerOutcome(posting, {
        'unknown-program': NO_SUCH_PROGRAM,
        'link-expired': LINK_EXPIRED,
        agreement: ({ fault }) => AGREEMENT_FAULTS[fault],
        faulty: ({ faults }) =>
          invalidRequest([...faults].map(([at, fault]) => ({ pointer: `/answers/${at}/value`, ...fault }))),
        posted: answerPosting,
        throttled: answerPosting,
      });
    },

    requestPortalLink: async ({ auth, database, params: { slug }, body: { email } }) => {
      const entrance = await entranceOf(database, slug);
      if (entrance === undefined) return problem('not-found');
      return answerPosting(await queueEntryLinks(database, secrets, entrance, email, auth.network));
    },

    openPortalSession: async ({ auth, database, params: { slug }, body, header }) => {
      const portal = await readPortal(database, slug);
      if (portal === undefined) return problem('not-found');
      const trier = { network: auth.network, ...browserOf({ auth, header }) };
      const opening = await openPortalSession(
        database,
        { secrets, publicUrl: publicUrl() },
        portal,
        proofOf(body),
        trier,
      );
      switch (opening.kind) {
        case 'opened':
          return answerOpened(database, cookies, portal, opening);
        case 'expired':
          return LINK_EXPIRED;
        case 'throttled':
          return throttledProblem(opening);
        default:
          return opening satisfies never;
      }
    },
  };

  async function entranceOf(database: Database, slug: string): Promise<Entrance | undefined> {
    const portal = await readPortal(database, slug);
    return portal && { ...portal, url: portalUrl(publicUrl(), portal) };
  }
}

/** Returns the portal with the given slug as visitors see it. */
async function answerPortal(database: Database, slug: string): Promise<Answer | Problem> {
  const portal = await readPortal(database, slug);
  if (portal === undefined) return problem('not-found');
  const tenant = { connection: database, organizationId: portal.organizationId };
  const { demo, mode } = await readOrganization(tenant);
  const programs = await readOfferedPrograms(tenant, MAX_OFFERED);
  const agreementVersion = (await findAgreementInForce(tenant)) ?? null;
  const shown = {
    slug,
    ...brandOf(portal),
    agreementVersion,
    demo,
    mode,
    programs: programs.map(showProgram),
  };
  return { kind: 'answer', status: 200, json: Buffer.from(jsonText(shown)) };
}

export async function answerOpened(
  database: Database,
  cookies: Site['cookies'],
  { organizationId }: Pick<Entrance, 'organizationId'>,
  { collaboratorId, sessionId, token }: OpenedPortal,
): Promise<Answer | Problem> {
  const session = await readPortalSession({ connection: database, organizationId }, collaboratorId, sessionId);
  if (session === undefined) return LINK_EXPIRED;
  return answer(201, showPortalSession(session), { headers: { 'set-cookie': cookies.begin('collaborator', token) } });
}

const NO_SUCH_PROGRAM = faultAt(
  '/programId',
  'unknown-program',
  'The portal has no program with this id that is open to sign-ups. Choose one of the programs that the portal lists.',
);

const AGREEMENT_FAULTS: Readonly<Record<AgreementFault, Problem>> = {
  'not-accepted': faultAt('/agreementVersion', 'required', 'Accept the partner agreement.'),
  outdated: faultAt(
    '/agreementVersion',
    'unknown-value',
    'The agreement has changed. Reload the page and read the agreement.',
  ),
};

/** Returns a program as visitors see it, with the terms summary. */
export function showProgram({ id, mode, headline, form, fields }: OfferedProgram): object {
  const words = summarizeTerms(fields, { kind: 'collaborator', id: null });
  return { id, name: fields.name, mode, headline, fields: form, words };
}

function answerPosting(posting: EntryLinkOutcome): Answer | Problem {
  return answerOutcome(posting, {
    posted: answer(200),
    throttled: throttledProblem,
  });
}

/** Returns the credential in a request. The contract requires either a token, or an address with a code. */
function proofOf(body: {
  readonly token: string | undefined;
  readonly email: string | undefined;
  readonly code: string | undefined;
}): EntryProof {
  const { token, email = '', code = '' } = body;
  return token === undefined ? { kind: 'code', email, code } : { kind: 'token', token };
}
