import { z } from 'zod';
import { choice, clearable, currencyCode, object, optional, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownFlag, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { timeZone } from '#core/contract/time-zone-field.ts';
import { TIERS } from '#core/caller.ts';
import { MODES } from '#core/mode.ts';

const operation = operationsOf('Organization');
const REPORTING_CURRENCY =
  'The currency into which figures can be converted, with your exchange rates. Null: figures are not converted. Owed ' +
  'and paid amounts are never converted.';
const TIME_ZONE =
  'The time zone of days in figures, digests and year-end exports, and of the times on pages, as a name of the IANA ' +
  'database. Periods of caps and tiers are in UTC.';

export const organization = z
  .strictObject({
    id: shownId({ description: 'The id of the organization.', example: 1 }),
    name: shownText({ description: 'The name of the organization.', example: 'Ada’s Mugs' }),
    tier: shownChoice(TIERS, {
      description: 'The tier. Reporting events requires `essentials`.',
      example: 'essentials',
    }),
    mode: shownChoice(MODES, {
      description:
        'The mode of all connectors of the organization. It is set when the organization is created, and never changes.',
    }),
    timeZone: shownText({ description: TIME_ZONE, example: 'Europe/Berlin' }),
    reportingCurrency: shownText({ description: REPORTING_CURRENCY, example: 'EUR' }).nullable(),
    demo: shownFlag({ description: 'Whether `npm run demo` created the organization with invented data.' }),
    createdAt: shownTime({ description: 'When the organization was created.' }),
    updatedAt: shownTime({ description: 'When the organization was last changed.' }),
  })
  .meta({ id: 'Organization', description: 'The merchant, which owns all data that its keys can read.' });

export const getOrganization = operation({
  method: 'GET',
  path: '/v1/organization',
  summary: 'Get the organization',
  description: 'Returns the organization of the API key or session.',
  scope: 'resources:read',
  versioned: true,
  success: { description: 'The organization.', body: organization },
});

export const changeOrganization = operation({
  method: 'PATCH',
  path: '/v1/organization',
  reader: getOrganization,
  summary: 'Change the organization',
  description:
    'Changes the given fields of the organization. A change of the tier takes effect everywhere within a second. After a ' +
    'change of the time zone, figures stay exact, but load more slowly until a worker has summed them again.',
  scope: 'keys:write',
  example: { name: 'Ada’s Mugs' },
  body: object({
    name: optional(text(1, 255, { description: 'The name of the organization.', example: 'Ada’s Mugs' })),
    tier: optional(choice(TIERS, { description: 'The tier. Reporting events requires `essentials`.' })),
    reportingCurrency: clearable(currencyCode({ description: REPORTING_CURRENCY })),
    timeZone: optional(timeZone({ description: TIME_ZONE, example: 'Europe/Berlin' })),
  }),
  versioned: true,
  success: { description: 'The changed organization.', body: organization },
});
