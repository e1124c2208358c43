import { problem } from '#contract/problem.ts';
import { addPasskey, challengePasskey, deletePasskey, type PasskeyOwner } from '#operations/add-passkey.ts';
import { openPortalSessionByPasskey } from '#operations/open-portal-session.ts';
import { challengeLogIn } from '#operations/use-passkey.ts';
import type { Database } from '#store/database.ts';
import { collaborators } from '#store/read/collaborators.ts';
import { readOne } from '#store/read/page.ts';
import { passkeys } from '#store/read/passkeys.ts';
import { readPortal } from '#store/read/portals.ts';
import type { Auth } from '../authentication.ts';
import { answer, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';
import { browserOf, collaboratorOf, type Site, WRONG_CREDENTIALS } from '../session-answers.ts';
import { answerAdding } from './passkeys.ts';
import { answerOpened } from './portals.ts';

/** Passkeys of collaborators: to log in by one, and their own. */
export function portalPasskeyHandlers(
  database: Database,
  { secrets, cookies, publicUrl }: Site,
): HandlersFor<
  | 'challengePortalSession'
  | 'openPortalSessionByPasskey'
  | 'listPortalPasskeys'
  | 'challengePortalPasskey'
  | 'createPortalPasskey'
  | 'deletePortalPasskey'
> {
  const siteNow = () => ({ secrets, publicUrl: publicUrl() });
  return {
    challengePortalSession: async ({ params: { slug } }) =>
      (await readPortal(database, slug)) === undefined
        ? problem('not-found')
        : answer(200, await challengeLogIn(siteNow(), 'collaborator')),

    openPortalSessionByPasskey: async ({ auth, params: { slug }, body: { response }, header }) => {
      const portal = await readPortal(database, slug);
      if (portal === undefined) return problem('not-found');
      const browser = browserOf({ auth, header });
      const opening = await openPortalSessionByPasskey(database, siteNow(), portal, response, browser);
      return opening.kind === 'opened' ? answerOpened(database, cookies, portal, opening) : WRONG_CREDENTIALS;
    },

    listPortalPasskeys: (request) => {
      const { collaboratorId } = collaboratorOf(request.auth);
      return answerPage(database, request, passkeys, { within: { collaboratorId } });
    },

    challengePortalPasskey: async ({ auth }) => {
      const owner = await ownerOf(auth);
      return owner === undefined ? NO_ADDRESS : answer(200, await challengePasskey(database, siteNow(), owner));
    },

    createPortalPasskey: async ({ auth, body: { name, response } }) => {
      const owner = await ownerOf(auth);
      return owner === undefined
        ? NO_ADDRESS
        : answerAdding(await addPasskey(database, siteNow(), owner, name, response));
    },

    deletePortalPasskey: async ({ auth, params: { id } }) => {
      const { collaboratorId } = collaboratorOf(auth);
      const holder = { kind: 'collaborator', collaboratorId } as const;
      return (await deletePasskey(database, auth.organizationId, holder, id)) ? answer(200) : problem('not-found');
    },
  };

  async function ownerOf(auth: Auth): Promise<PasskeyOwner | undefined> {
    const { organizationId } = auth;
    const { collaboratorId } = collaboratorOf(auth);
    const { email, name } = (await readOne(database, organizationId, collaborators, { id: collaboratorId })) ?? {};
    if (email === undefined || email === null || name === undefined) return undefined;
    return { organizationId, holder: { kind: 'collaborator', collaboratorId }, email, name };
  }
}

/** Each new one is told by mail, lest somebody else has added it. */
const NO_ADDRESS = problem('invalid-transition', 'You have no address any more: ask the merchant to note one.');
