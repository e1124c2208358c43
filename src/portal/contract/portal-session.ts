import { COLLABORATOR_STATUSES } from '#collaborators/domain/collaborator.ts';
import type { SessionId } from '#core/ids.ts';
import { GIVEN_DETAILS, givenDetails, shownDetails } from '#collaborators/contract/payout-details.ts';
import { PERIODS } from '#core/period.ts';
import { TIER_MEASURES } from '#programs/domain/program.ts';
import { GOAL_KINDS } from '../domain/program-goal.ts';
import { z } from 'zod';
import { ownSession } from '#access/contract/account.ts';
import { id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { brandFields } from './portal-settings.ts';
import {
  shownChoice,
  shownCurrency,
  shownFlag,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { SET_COOKIE } from '#access/contract/session.ts';

const operation = operationsOf('Portal pages');

const goal = z.strictObject({
  kind: shownChoice(GOAL_KINDS, {
    description: '`tier`: the next tier. `cap`: the most that they can earn in the period.',
  }),
  by: shownChoice(TIER_MEASURES, {
    description: '`count`: a number of conversions. `sum`: an amount.',
    example: 'count',
  }),
  period: shownChoice(PERIODS, { description: 'The current period, in UTC.', example: 'month' }),
  reached: shownInteger({
    description:
      'The sum or number of their awards in the period, as decisions count it. Sums are in hundredths of the ' +
      'major unit.',
    example: 7,
  }),
  goal: shownInteger({ description: 'The threshold of the tier, or the cap, in the same unit.', example: 10 }),
  currency: shownCurrency(),
});

const portalSession = z
  .strictObject({
    collaborator: z
      .strictObject({
        id: shownId({ description: 'The collaborator’s id.', example: 7 }),
        name: shownText({ description: 'Their name.', example: 'Ada Lovelace' }),
        email: shownText({ description: 'Their email address.' })
          .nullable()
          .meta({ examples: ['ada@example.com'] }),
        status: shownChoice(COLLABORATOR_STATUSES.slice(0, 2) as ['pending', 'active'], {
          description: '`pending`: a person must approve them before they can earn.',
          example: 'active',
        }),
      })
      .meta({ description: 'The logged-in collaborator.' }),
    portal: z
      .strictObject({
        slug: shownText({ description: 'The slug in the portal’s address.', example: 'adas-mugs' }),
        ...brandFields,
      })
      .meta({ description: 'The portal of the session.' }),
    timeZone: shownText({
      description: 'The merchant’s time zone, in which the portal shows days and times.',
      example: 'Europe/Berlin',
    }),
    programs: z
      .array(
        z.strictObject({
          id: shownId({ description: 'The program’s id.', example: 5 }),
          name: shownText({ description: 'The program’s name.', example: 'Friends' }),
          words: z.array(z.string()).meta({
            description: 'The terms, in plain sentences.',
            examples: [['You earn 10% of every sale.']],
          }),
          goals: z.array(goal).meta({ description: 'Their next tier and their cap, if the program has them.' }),
        }),
      )
      .meta({
        description:
          'The active programs in which they can earn, now or once they are active, sorted by name. At most 200.',
      }),
    agreementToAccept: shownInteger({
      description:
        'The version of the partner agreement that they must accept before they can create links or request payouts. ' +
        'Null: none.',
    })
      .nullable()
      .meta({ examples: [null] }),
    isPreview: shownFlag({ description: 'Whether a person of the merchant sees the portal as this collaborator.' }),
    expiresAt: shownTime({ description: 'When the session ends at the latest.' }),
  })
  .meta({ id: 'PortalSession', description: 'The logged-in collaborator.' });

export const openedPortal = {
  status: 201,
  description: 'The session.',
  body: portalSession,
  headers: SET_COOKIE,
} as const;

export const getPortalSession = operation({
  method: 'GET',
  path: '/v1/portal/session',
  summary: 'Get your session',
  description:
    'Returns the collaborator of the session, the portal as they see it, and the programs in which they can earn.',
  scope: 'portal',
  // An organization can have many long programs.
  isPaced: true,
  success: { description: 'The session.', body: portalSession },
});

export const closePortalSession = operation({
  method: 'DELETE',
  path: '/v1/portal/session',
  summary: 'Log out',
  description: 'Ends the session and deletes its cookie. All processes refuse the session within a second.',
  scope: 'portal',
  repeats: 'none',
  success: { description: 'The session has ended. No body.', headers: SET_COOKIE },
});

export const listPortalSessions = operation({
  method: 'GET',
  path: '/v1/portal/sessions',
  summary: 'List your sessions',
  description: 'Lists your sessions, at most 20. A further login ends the session with the longest idle time.',
  scope: 'portal',
  query: listQuery(['id'], {}),
  success: listSuccess(ownSession, 'Sessions.'),
});

export const endPortalSession = operation({
  method: 'DELETE',
  path: '/v1/portal/sessions/{id}',
  summary: 'End one of your sessions',
  description: 'Ends one of your sessions. All processes refuse it within a second.',
  scope: 'portal',
  params: z.object({ id: id<SessionId>({ description: 'The session’s id.', example: 12 }) }),
  success: { description: 'The session has ended. No body.' },
});

const maskedDetails = shownDetails({
  description: 'The last characters of the account, to recognize it.',
  example: '••••3000',
}).meta({ id: 'PortalPayoutDetails', description: 'The payout details, masked.' });

const portalAccount = z
  .strictObject({
    name: shownText({ description: 'Their name.', example: 'Ada Lovelace' }),
    email: shownText({ description: 'Their email address. Only the merchant can change it.' })
      .nullable()
      .meta({ examples: ['ada@example.com'] }),
    payoutDetails: maskedDetails.nullable().meta({ description: 'Null until they are set.' }),
  })
  .meta({ id: 'PortalAccount', description: 'A collaborator’s own account.' });

export const getPortalAccount = operation({
  method: 'GET',
  path: '/v1/portal/account',
  summary: 'Get your account',
  description: 'Returns your name, email address and payout details. Account numbers are masked.',
  scope: 'portal',
  success: { description: 'The account.', body: portalAccount },
});

export const changePortalAccount = operation({
  method: 'PATCH',
  path: '/v1/portal/account',
  reader: getPortalAccount,
  summary: 'Change your account',
  description:
    'Changes the given fields of your account. Payout details are stored encrypted, and each change of them is reported ' +
    'to you by email. Null removes the payout details.',
  scope: 'portal',
  fresh: ['payoutDetails'],
  example: { payoutDetails: GIVEN_DETAILS },
  body: object({
    name: optional(
      text(1, 255, { description: 'Their name.', example: 'Ada Lovelace' }, { noControlCharacters: true }),
    ),
    payoutDetails: givenDetails.nullish().meta({
      description: 'The payout details. If a masked account is sent back unchanged, the stored account stays.',
    }),
  }),
  takesSecret: ['payoutDetails'],
  hidden: ['payoutDetails'],
  success: { description: 'The changed account.', body: portalAccount },
});
