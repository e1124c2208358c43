import { z } from 'zod';
import { choices, object } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { shownChoice } from '#core/contract/response-fields.ts';
import { MUTABLE_KINDS, PARTNER_EMAIL_KINDS } from '../domain/partner-email.ts';

const KIND = 'A kind of email.';
const SENT = 'The kinds that are sent. All other kinds are not sent.';
const MUTED = 'The kinds that you don’t want.';

const partnerEmails = z
  .strictObject({
    kinds: z.array(shownChoice(PARTNER_EMAIL_KINDS, { description: KIND })).meta({
      description: SENT,
      examples: [['approved', 'paid']],
    }),
  })
  .meta({ id: 'PartnerEmails', description: 'The notification emails to collaborators.' });

export const getPartnerEmails = operation({
  method: 'GET',
  path: '/v1/partner-emails',
  tag: 'Portal',
  summary: 'Get the emails to collaborators',
  description:
    'Returns the kinds of notification email that collaborators get. These emails are sent while the portal is open. ' +
    '`application-rejected` is for applicants whom you reject. The setting doesn’t affect login links, security ' +
    'notices, invitations, announcements, and emails about an accepted application or a moved code.',
  scope: 'resources:read',
  success: { description: 'The emails.', body: partnerEmails },
});

export const changePartnerEmails = operation({
  method: 'PATCH',
  path: '/v1/partner-emails',
  reader: getPartnerEmails,
  tag: 'Portal',
  summary: 'Change the emails to collaborators',
  description: 'Sets the kinds of notification email that collaborators get. An added kind covers only later events.',
  scope: 'resources:write',
  example: { kinds: ['approved', 'paid'] },
  body: object({
    kinds: choices(PARTNER_EMAIL_KINDS, { description: SENT }),
  }),
  success: { description: 'The changed emails.', body: partnerEmails },
});

const portalEmails = z
  .strictObject({
    kinds: z.array(shownChoice(MUTABLE_KINDS, { description: KIND })).meta({
      description: 'The kinds that the merchant sends.',
      examples: [['approved', 'paid']],
    }),
    muted: z.array(shownChoice(MUTABLE_KINDS, { description: KIND })).meta({
      description: MUTED,
      examples: [['first-click']],
    }),
  })
  .meta({ id: 'PortalEmails', description: 'The emails that a collaborator gets.' });

export const getPortalEmails = operation({
  method: 'GET',
  path: '/v1/portal/emails',
  tag: 'Portal pages',
  summary: 'Get your email preferences',
  description: 'Returns the kinds of email that the merchant sends, and the kinds that you don’t want.',
  scope: 'portal',
  success: { description: 'The preferences.', body: portalEmails },
});

export const changePortalEmails = operation({
  method: 'PATCH',
  path: '/v1/portal/emails',
  reader: getPortalEmails,
  tag: 'Portal pages',
  summary: 'Change your email preferences',
  description: 'Sets the kinds of email that you don’t want. Login links and security notices are always sent.',
  scope: 'portal',
  example: { muted: ['first-click'] },
  body: object({
    muted: choices(MUTABLE_KINDS, { description: MUTED }),
  }),
  success: { description: 'The changed preferences.', body: portalEmails },
});
