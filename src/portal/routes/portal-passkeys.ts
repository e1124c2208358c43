import type * as contract from '../contract/portal-passkey.ts';
import { problem } from '#core/contract/problem.ts';
import { challengePasskey, deletePasskey, type PasskeyOwner } from '#access/commands/add-passkey.ts';
import { addPortalPasskey } from '../commands/add-portal-passkey.ts';
import { openPortalSessionByPasskey } from '../commands/open-portal-session.ts';
import { challengeLogIn } from '#access/commands/use-passkey.ts';
import type { Database } from '#platform/postgres/database.ts';
import { collaborators } from '#collaborators/store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { passkeys } from '#access/store/read/passkeys.ts';
import { readPortal } from '#organizations/store/read/portals.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { browserOf, collaboratorOf, type Site, WRONG_CREDENTIALS } from '#access/routes/session-answers.ts';
import { answerAdding } from '#access/routes/passkeys.ts';
import { answerOpened } from './portals.ts';
import type { Auth } from '#core/auth.ts';

type CollaboratorOwner = PasskeyOwner & { readonly holder: { readonly kind: 'collaborator' } };

/** Returns the handlers of calls that log in with, list, add or remove passkeys of collaborators. */
export function portalPasskeyHandlers({ secrets, cookies, publicUrl }: Site): HandlersFor<typeof contract> {
  // A passkey is valid for one host. On the portal's own domain, passkeys belong to that domain.
  const siteOf = (portalOrigin: string | undefined) => ({ secrets, publicUrl: portalOrigin ?? publicUrl() });
  return {
    challengePortalSession: async ({ database, params: { slug }, portalOrigin }) =>
      (await readPortal(database, slug)) === undefined
        ? problem('not-found')
        : answer(200, await challengeLogIn(siteOf(portalOrigin), 'collaborator')),

    openPortalSessionByPasskey: async ({
      auth,
      database,
      params: { slug },
      body: { response },
      header,
      portalOrigin,
    }) => {
      const portal = await readPortal(database, slug);
      if (portal === undefined) return problem('not-found');
      const browser = browserOf({ auth, header });
      const opening = await openPortalSessionByPasskey(database, siteOf(portalOrigin), portal, response, browser);
      return opening.kind === 'opened' ? answerOpened(database, cookies, portal, opening) : WRONG_CREDENTIALS;
    },

    listPortalPasskeys: (request) => {
      const { collaboratorId } = collaboratorOf(request.auth);
      return answerPage(request, passkeys, { within: { collaboratorId } });
    },

    challengePortalPasskey: async ({ auth, tenant, portalOrigin }) => {
      const owner = await ownerOf(tenant.connection, auth);
      return owner === undefined
        ? NO_ADDRESS
        : answer(200, await challengePasskey(tenant.connection, siteOf(portalOrigin), owner));
    },

    createPortalPasskey: async ({ auth, tenant, body: { name, response }, portalOrigin }) => {
      const owner = await ownerOf(tenant.connection, auth);
      return owner === undefined
        ? NO_ADDRESS
        : answerAdding(await addPortalPasskey(tenant.connection, siteOf(portalOrigin), owner, name, response));
    },

    deletePortalPasskey: async ({ auth, tenant, params: { id } }) => {
      const { collaboratorId } = collaboratorOf(auth);
      const holder = { kind: 'collaborator', collaboratorId } as const;
      return (await deletePasskey(tenant, holder, id)) ? answer(200) : problem('not-found');
    },
  };

  async function ownerOf(database: Database, auth: Auth): Promise<CollaboratorOwner | undefined> {
    const { organizationId } = auth;
    const { collaboratorId } = collaboratorOf(auth);
    const { email, name } =
      (await readOne({ connection: database, organizationId }, collaborators, { id: collaboratorId })) ?? {};
    if (email === undefined || email === null || name === undefined) return undefined;
    return { organizationId, holder: { kind: 'collaborator', collaboratorId }, email, name };
  }
}

/**
 * The response to a collaborator without an email address. The address is required because each new passkey is reported
 * by email, in case it is fraudulent.
 */
const NO_ADDRESS = problem(
  'invalid-transition',
  'Your account has no email address. Ask the merchant to add an address.',
);
