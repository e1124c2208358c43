import { COLLABORATOR_STATUSES } from '#collaborators/domain/collaborator.ts';
import type { SessionId } from '#core/ids.ts';
import { PAYOUT_METHODS } from '#collaborators/domain/payout-details.ts';
import { z } from 'zod';
import { ownSession } from '#access/contract/account.ts';
import { choice, id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { brandFields } from './portal-settings.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { SET_COOKIE } from '#access/contract/session.ts';

const tag = 'Portal pages';
const METHOD = 'How they want to be paid.';
const HOLDER = 'In whose name the account is.';
const ACCOUNT = 'Its number or address: an IBAN, an address at PayPal.';

const portalSession = z
  .strictObject({
    collaborator: z
      .strictObject({
        id: shownId({ description: 'The collaborator’s id.', example: 7 }),
        name: shownText({ description: 'What they are called.', example: 'Ada Lovelace' }),
        email: shownText({ description: 'Where they are reached.' })
          .nullable()
          .meta({ examples: ['ada@example.com'] }),
        status: shownChoice(COLLABORATOR_STATUSES.slice(0, 2) as ['pending', 'active'], {
          description: '`pending`: a person has yet to let them in; nothing is earned until then.',
          example: 'active',
        }),
      })
      .meta({ description: 'Who has logged in.' }),
    portal: z
      .strictObject({
        slug: shownText({ description: 'What stands in the portal’s address.', example: 'adas-mugs' }),
        ...brandFields,
      })
      .meta({ description: 'Where they are.' }),
    programs: z
      .array(
        z.strictObject({
          id: shownId({ description: 'The program’s id.', example: 5 }),
          name: shownText({ description: 'What it is called.', example: 'Friends' }),
          words: z.array(z.string()).meta({
            description: 'What it pays them, in plain sentences.',
            examples: [['You earn 10% of every sale.']],
          }),
        }),
      )
      .meta({
        description: 'The active programs in which they may earn, or may once they are active, by name. At most 200.',
      }),
    expiresAt: shownTime({ description: 'When they have to log in again, whatever they do.' }),
  })
  .meta({ id: 'PortalSession', description: 'Who has logged in to the portal.' });

/** The response to a successful login. */
export const openedPortal = {
  status: 201,
  description: 'The session.',
  body: portalSession,
  headers: SET_COOKIE,
} as const;

export const getPortalSession = operation({
  method: 'GET',
  path: '/v1/portal/session',
  tag,
  summary: 'Get who has logged in',
  description: 'The collaborator of the session, the portal as they see it, and what they may earn in.',
  scope: 'portal',
  keys: [],
  success: { status: 200, description: 'The session.', body: portalSession },
  problems: [],
});

export const closePortalSession = operation({
  method: 'DELETE',
  path: '/v1/portal/session',
  tag,
  summary: 'Log out',
  description: 'Ends the session and takes its cookie away.',
  scope: 'portal',
  keys: [],
  repeats: 'none',
  success: { status: 200, description: 'It has ended. No body.', headers: SET_COOKIE },
  problems: [],
});

export const listPortalSessions = operation({
  method: 'GET',
  path: '/v1/portal/sessions',
  tag,
  summary: 'List one’s own sessions',
  description:
    'The browsers in which one is logged in. Up to 20: a further one ends that which was not used for longest.',
  scope: 'portal',
  keys: [],
  query: listQuery(['id'], {}),
  success: listSuccess(ownSession, 'Sessions.'),
  problems: ['invalid-request'],
});

export const endPortalSession = operation({
  method: 'DELETE',
  path: '/v1/portal/sessions/{id}',
  tag,
  summary: 'End one of one’s own sessions',
  description: 'Ends it, everywhere within a second.',
  scope: 'portal',
  keys: [],
  params: z.object({ id: id<SessionId>({ description: 'The session’s id.', example: 12 }) }),
  success: { status: 200, description: 'It has ended. No body.' },
  problems: ['not-found'],
});

const shownDetails = z
  .strictObject({
    method: shownChoice(PAYOUT_METHODS, { description: METHOD, example: 'bank' }),
    holder: shownText({ description: HOLDER, example: 'Ada Lovelace' }),
    account: shownText({ description: 'Its end, to recognize it by.', example: '••••3000' }),
    updatedAt: shownTime({ description: 'When they were given.' }),
  })
  .meta({ id: 'PortalPayoutDetails', description: 'How they want to be paid, as far as it is shown.' });

const portalAccount = z
  .strictObject({
    name: shownText({ description: 'What they are called.', example: 'Ada Lovelace' }),
    email: shownText({ description: 'Where they are reached. The merchant can change it.' })
      .nullable()
      .meta({ examples: ['ada@example.com'] }),
    payoutDetails: shownDetails.nullable().meta({ description: 'Null until they are given.' }),
  })
  .meta({ id: 'PortalAccount', description: 'What a collaborator says of themselves.' });

export const getPortalAccount = operation({
  method: 'GET',
  path: '/v1/portal/account',
  tag,
  summary: 'Get one’s own account',
  description: 'Name, address and payout details; of an account no more than its end is shown.',
  scope: 'portal',
  keys: [],
  success: { status: 200, description: 'The account.', body: portalAccount },
  problems: [],
});

export const changePortalAccount = operation({
  method: 'PATCH',
  path: '/v1/portal/account',
  reader: getPortalAccount,
  tag,
  summary: 'Change one’s own account',
  description:
    'Changes what is given. Payout details are kept sealed, and a change of them is told by mail; null takes them away.',
  scope: 'portal',
  keys: [],
  fresh: ['payoutDetails'],
  example: { payoutDetails: { method: 'bank', holder: 'Ada Lovelace', account: 'DE89 3704 0044 0532 0130 00' } },
  body: object({
    name: optional(
      text(1, 255, { description: 'What they are called.', example: 'Ada Lovelace' }, { noControlCharacters: true }),
    ),
    payoutDetails: object({
      method: choice(PAYOUT_METHODS, { description: METHOD, example: 'bank' }),
      holder: text(1, 255, { description: HOLDER, example: 'Ada Lovelace' }, { noControlCharacters: true }),
      account: text(
        3,
        255,
        { description: ACCOUNT, example: 'DE89 3704 0044 0532 0130 00' },
        { noControlCharacters: true },
      ),
    })
      .nullish()
      .meta({ description: 'How they want to be paid. What is sent back as it is shown stays as it is.' }),
  }),
  takesSecret: ['payoutDetails'],
  success: { status: 200, description: 'The account as it is now.', body: portalAccount },
  problems: [],
});
