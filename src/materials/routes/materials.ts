import type * as contract from '../contract/material.ts';
import type * as portalContract from '../contract/portal-material.ts';
import { collaboratorOf, type Site } from '#access/routes/session-answers.ts';
import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { type OpenPortal, readPortalOf } from '#organizations/store/read/portals.ts';
import { type Answer, answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { linkOf, MAX_LINKS, pageOf } from '#portal/domain/portal-link.ts';
import { shortLinkOf } from '#portal/domain/short-link.ts';
import { readPortalCodes } from '#portal/store/read/portal-links.ts';
import { changeMaterial, deleteMaterial } from '../commands/change-material.ts';
import { createMaterial } from '../commands/create-material.ts';
import type { ReferenceFault } from '../commands/reference-fault.ts';
import {
  fillText,
  hasTooManyPlaceholders,
  LINK_PLACEHOLDER,
  type Material,
  type MaterialFile,
  MAX_MATERIALS,
  MAX_PLACEHOLDERS,
} from '../domain/material.ts';
import { extensionsOf, type FileType, MAX_FILE_BYTES, MAX_IMAGE_SIDE } from '../domain/material-file.ts';
import { materials } from '../store/materials.ts';
import { type PortalMaterial, portalMaterials } from '../store/portal-materials.ts';

/** Returns the handlers for the merchant's materials, and for their list in the portal. */
export function materialHandlers({ publicUrl }: Site): HandlersFor<typeof contract & typeof portalContract> {
  const show = (material: Material): object => ({ ...material, file: shownFile(publicUrl(), material.file) });
  return {
    listMaterials: (request) => answerPage(request, materials, { show: (items) => items.map(show) }),

    createMaterial: async ({ auth: { author }, tenant, body }) => {
      const { title, programId = null, licenseNote = null, pageUrl = null, text = null, file = null } = body;
      if (hasTooManyPlaceholders(text ?? '')) return TOO_MANY_PLACEHOLDERS;
      const given = { title, programId, licenseNote, pageUrl, text, file, author };
      const created = await createMaterial(tenant, given);
      return answerOutcome(created, {
        created: ({ material }) => answer(201, show(material)),
        'no-content': NO_CONTENT,
        'too-many': TOO_MANY,
        full: FULL,
        'file-too-large': TOO_LARGE,
        'unsupported-file': UNSUPPORTED,
        'other-extension': ({ type }) => otherExtension(type),
        'unknown-program': referenceProblem,
        'deleted-program': referenceProblem,
        'other-site': referenceProblem,
      });
    },

    getMaterial: async ({ tenant, params: { id } }) => {
      const material = await readOne(tenant, materials, { id });
      return material === undefined ? problem('not-found') : answer(200, show(material));
    },

    changeMaterial: async ({ tenant, params: { id }, body }): Promise<Answer | Problem> => {
      if (hasTooManyPlaceholders(body.text ?? '')) return TOO_MANY_PLACEHOLDERS;
      const changed = await changeMaterial(tenant, id, body);
      return answerOutcome(changed, {
        changed: ({ material }) => answer(200, show(material)),
        unknown: problem('not-found'),
        faulty: ({ field, detail }) => faultAt(`/${field}`, 'not-applicable', detail),
        'unknown-program': referenceProblem,
        'deleted-program': referenceProblem,
        'other-site': referenceProblem,
      });
    },

    deleteMaterial: async ({ tenant, params: { id } }) =>
      (await deleteMaterial(tenant, id)) ? answer(200) : problem('not-found'),

    listPortalMaterials: async (request) => {
      const { collaboratorId } = collaboratorOf(request.auth);
      const portal = await readPortalOf(request.tenant);
      const code = portal && (await findMainCode(request.tenant, collaboratorId));
      return answerPage(request, portalMaterials, {
        within: { collaboratorId },
        show: (items) => items.map((each) => shownInPortal(publicUrl(), each, linkOfPartner(portal, code, each))),
      });
    },
  };

  function linkOfPartner(
    portal: OpenPortal | undefined,
    code: string | undefined,
    { pageUrl }: PortalMaterial,
  ): string | null {
    if (portal === undefined || code === undefined) return null;
    const { linkDomain, refParameter } = portal;
    return pageUrl === null && linkDomain !== null
      ? shortLinkOf(publicUrl(), linkDomain, code, null)
      : linkOf(pageOf(portal, pageUrl), refParameter, code);
  }
}

/** Returns the code of the collaborator's first main link, or undefined if there is none. */
async function findMainCode(tenant: Tenant, collaboratorId: CollaboratorId): Promise<string | undefined> {
  const codes = await readPortalCodes(tenant, collaboratorId, MAX_LINKS);
  return codes.find(({ type, mainCode }) => type === 'tracking' && mainCode === null)?.code;
}

function shownInPortal(
  publicUrl: string,
  { id, kind, title, programName, licenseNote, text, file, createdAt }: PortalMaterial,
  link: string | null,
): object {
  const filled = text === null ? null : fillText(text, link);
  return { id, kind, title, programName, licenseNote, link, text: filled, file: shownFile(publicUrl, file), createdAt };
}

function shownFile(publicUrl: string, file: MaterialFile | null): object | null {
  if (file === null) return null;
  const { key, ...shown } = file;
  return { ...shown, url: `${publicUrl}/materials/${key}` };
}

const TOO_MANY_PLACEHOLDERS = faultAt(
  '/text',
  'too-many',
  `The text can contain ${LINK_PLACEHOLDER} at most ${MAX_PLACEHOLDERS} times.`,
);

function referenceProblem(fault: ReferenceFault): Answer | Problem {
  return answerOutcome(fault, {
    'unknown-program': faultAt('/programId', 'unknown-program', 'No program has this id. Check the id.'),
    'deleted-program': faultAt(
      '/programId',
      'not-applicable',
      'This program is deleted. Choose another program, or null for all partners.',
    ),
    'other-site': ({ sites }) => faultAt('/pageUrl', 'not-applicable', otherSite(sites)),
  });
}

function otherSite(sites: readonly string[]): string {
  return sites.length === 0
    ? 'The portal has no landing page yet. Set `landingUrl` of the portal settings first.'
    : `This must be a page of ${sites.join(', ')}. Add other sites to \`linkOrigins\` of the portal settings.`;
}

const NO_CONTENT = faultAt(
  '/file',
  'required',
  'Send a `file` or a `text`, but not both. For a link, send only `pageUrl`.',
);
const TOO_LARGE = faultAt(
  '/file/data',
  'too-long',
  `A file can have at most ${MAX_FILE_BYTES.toLocaleString('en-US')} bytes. Send a smaller file.`,
);
const UNSUPPORTED = faultAt(
  '/file/data',
  'invalid-format',
  'This must be a PNG, JPEG, GIF, WebP, SVG or PDF file with an undamaged header. An image can have at most ' +
    `${MAX_IMAGE_SIDE.toLocaleString('en-US')} pixels on each side.`,
);
const TOO_MANY = problem(
  'invalid-transition',
  `There are already ${MAX_MATERIALS} materials. Delete materials that you no longer need.`,
);
const FULL = problem(
  'invalid-transition',
  'All files together can have at most 100 MiB. Delete materials with files that you no longer need.',
);

function otherExtension(type: FileType): Problem {
  return faultAt(
    '/file/name',
    'invalid-format',
    `The content is ${type}, so the name must end in ${extensionsOf(type)}. Rename the file.`,
  );
}
