import type * as portalSettingsContract from '../contract/portal-settings.ts';
import type * as signUpContract from '../contract/sign-up.ts';
import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import type { CustomDomains } from '#organizations/domain/custom-domains.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { changePortal, type PortalChangeOutcome } from '../commands/change-portal.ts';
import { changeProgramSignUp, type ProgramSignUpChangeOutcome } from '../commands/change-program-sign-up.ts';
import { readPayoutDetails } from '#collaborators/commands/read-payout-details.ts';
import { collaborators } from '#collaborators/store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type PortalSettings, readPortalSettings } from '#organizations/store/read/portals.ts';
import { programs } from '#programs/store/read/programs.ts';
import { readProgramSignUp, signUps } from '../store/read/sign-ups.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { type Site } from '#access/routes/session-answers.ts';

/** Returns the handlers of the merchant's calls about the portal, sign-ups and payout details. */
export function portalSettingsHandlers(
  { secrets, publicUrl }: Site,
  domains: CustomDomains,
): HandlersFor<typeof portalSettingsContract & typeof signUpContract> {
  const show = (settings: PortalSettings): Answer => answer(200, { ...settings, url: urlOf(settings) });
  const urlOf = ({ slug, portalDomain }: PortalSettings): string | null =>
    slug === null ? null : portalUrl(publicUrl(), { slug, portalDomain });
  return {
    getPortalSettings: async ({ tenant }) => show(await readPortalSettings(tenant)),

    changePortalSettings: async ({ tenant, body: { accent, ...body } }) => {
      const change = { ...body, accent: accent?.toLowerCase() };
      return answerChange(await changePortal(tenant, change, domains), show);
    },

    getProgramSignUp: async ({ tenant, params: { id } }) => {
      const program = await readOne(tenant, programs, { id });
      return answerFound(program && (await readProgramSignUp(tenant, id)));
    },

    changeProgramSignUp: async ({ tenant, params: { id }, body }) =>
      answerSignUp(await changeProgramSignUp(tenant, id, body)),

    listSignUps: async (request) => {
      const { id } = request.params;
      const owner = await readOne(request.tenant, collaborators, { id });
      if (owner === undefined) return problem('not-found');
      return answerPage(request, signUps, { within: { collaboratorId: id } });
    },

    getPayoutDetails: async ({ auth, tenant, params: { id } }) =>
      answerFound(await readPayoutDetails(tenant.connection, secrets, auth, id)),
  };
}

function answerChange(changing: PortalChangeOutcome, show: (settings: PortalSettings) => Answer): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ settings }) => show(settings),
    faulty: ({ field, detail }) => faultAt(`/${field}`, 'not-applicable', detail),
    taken: problem('portal-taken', 'Another portal has this slug. Choose another slug.'),
    'domain-taken': problem(
      'domain-taken',
      'Another organization of this installation has this domain. Use another domain.',
    ),
  });
}

function answerSignUp(changing: ProgramSignUpChangeOutcome): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ signUp }) => answer(200, signUp),
    unknown: problem('not-found'),
    deleted: problem('invalid-transition', 'A deleted program can’t be changed. Create a new program.'),
  });
}
