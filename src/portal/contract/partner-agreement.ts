import type { CollaboratorId } from '#core/ids.ts';
import { MAX_AGREEMENT } from '../domain/partner-agreement.ts';
import { z } from 'zod';
import { clearable, id, integer, object, text } from '#core/contract/fields.ts';
import { NOT_BLANK } from '#core/contract/text.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import { ofPortal } from './portal.ts';

const operation = operationsOf('Portal');
const TEXT =
  'The text. The portal shows a line that starts with `#` as a heading, lines that start with `-` as a list, and a ' +
  'blank line as the end of a paragraph.';
const EXAMPLE = '# Partner agreement\n\nDon’t bid on our brand name.';
const MAX_VERSION = 2_147_483_647;

const versionNumber = integer(1, MAX_VERSION, { description: 'The version.', example: 2 });
const shownVersion = shownInteger({ description: 'The number of the version. The first is 1.', example: 2 });
const publishedAt = shownTime({ description: 'When the version was published.' });
const acceptedAt = shownTime({ description: 'When the collaborator accepted the version.' });

const partnerAgreement = z
  .strictObject({
    version: shownVersion
      .nullable()
      .meta({ description: 'The number of the newest version. Null before the first version.' }),
    text: shownText({ description: `${TEXT} Null: there is no agreement.` })
      .nullable()
      .meta({ examples: [EXAMPLE] }),
    author: shownText({ description: 'The author of the version, as in the audit log. Null before the first version.' })
      .nullable()
      .meta({ examples: ['person 5'] }),
    createdAt: publishedAt.nullable(),
  })
  .meta({ id: 'PartnerAgreement', description: 'The agreement that collaborators accept, in its newest version.' });

const agreementVersion = z
  .strictObject({
    version: shownVersion,
    text: shownText({ description: `${TEXT} Null: this version withdraws the agreement.` })
      .nullable()
      .meta({ examples: [EXAMPLE] }),
    author: shownText({ description: 'The author of the version, as in the audit log.', example: 'person 5' }),
    createdAt: publishedAt,
  })
  .meta({ id: 'PartnerAgreementVersion', description: 'A version of the partner agreement. It never changes.' });

const acceptance = z
  .strictObject({ version: shownVersion, acceptedAt })
  .meta({ id: 'AgreementAcceptance', description: 'A version of the partner agreement that a collaborator accepted.' });

export const getPartnerAgreement = operation({
  method: 'GET',
  path: '/v1/partner-agreement',
  summary: 'Get the partner agreement',
  description: 'Returns the newest version of the agreement that collaborators accept.',
  scope: 'resources:read',
  versioned: true,
  success: { description: 'The agreement.', body: partnerAgreement },
});

export const changePartnerAgreement = operation({
  method: 'PATCH',
  path: '/v1/partner-agreement',
  reader: getPartnerAgreement,
  summary: 'Publish the partner agreement',
  description:
    'Publishes the text as a new version. The portal asks each collaborator to accept the version. Null withdraws the ' +
    'agreement. An unchanged text creates no new version.',
  scope: 'resources:write',
  fresh: ['text'],
  example: { text: EXAMPLE },
  body: object({
    text: clearable(text(1, MAX_AGREEMENT, { description: TEXT, example: EXAMPLE }, NOT_BLANK)),
  }),
  versioned: true,
  success: { description: 'The published agreement.', body: partnerAgreement },
});

export const listPartnerAgreementVersions = operation({
  method: 'GET',
  path: '/v1/partner-agreement/versions',
  summary: 'List the versions of the partner agreement',
  description: 'Lists all published versions of the partner agreement, newest first.',
  scope: 'resources:read',
  query: listQuery(['version', 'createdAt'], {
    version: integer(1, MAX_VERSION, { description: 'This version.' }),
  }),
  success: listSuccess(agreementVersion, 'Versions.'),
});

export const listAgreementAcceptances = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/agreement-acceptances',
  summary: 'List accepted partner agreements',
  description: 'Lists the versions of the partner agreement that a collaborator accepted, newest first.',
  scope: 'resources:read',
  params: z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  query: listQuery(['version', 'acceptedAt'], {}),
  success: listSuccess(acceptance, 'Acceptances.'),
});

const openAgreement = z
  .strictObject({ version: shownVersion, text: shownText({ description: TEXT, example: EXAMPLE }), publishedAt })
  .meta({ id: 'PortalAgreementText', description: 'The partner agreement in force.' });

export const getOpenPortalAgreement = operation({
  method: 'GET',
  path: '/v1/portals/{slug}/agreement',
  tag: 'Portal login',
  summary: 'Get the agreement of a portal',
  description: 'Returns the agreement that applicants accept. The response is a 404 if the portal has none.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  success: { description: 'The agreement.', body: openAgreement },
});

const portalAgreement = z
  .strictObject({
    current: openAgreement.nullable().meta({ description: 'The version in force. Null: there is no agreement.' }),
    accepted: z
      .strictObject({
        version: shownVersion,
        text: shownText({ description: TEXT, example: EXAMPLE }),
        acceptedAt,
      })
      .nullable()
      .meta({ description: 'The newest version that you accepted. Null: you have accepted none.' }),
  })
  .meta({ id: 'PortalAgreement', description: 'The partner agreement, and what the collaborator accepted.' });

export const getPortalAgreement = operation({
  method: 'GET',
  path: '/v1/portal/agreement',
  tag: 'Portal pages',
  summary: 'Get your agreement',
  description: 'Returns the partner agreement in force, and the newest version that you accepted.',
  scope: 'portal',
  success: { description: 'The agreement.', body: portalAgreement },
});

export const acceptPortalAgreement = operation({
  method: 'POST',
  path: '/v1/portal/agreement/accept',
  tag: 'Portal pages',
  summary: 'Accept the agreement',
  description:
    'Records that you accept the version of the partner agreement in force. Repeating the call changes nothing.',
  scope: 'portal',
  body: object({ version: versionNumber }),
  success: { status: 201, description: 'The agreement.', body: portalAgreement },
  problems: ['invalid-transition'],
});
