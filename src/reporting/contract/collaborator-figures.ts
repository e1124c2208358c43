import { checkSpan, daySpan } from './figure.ts';
import { COLLABORATOR_STATUSES } from '#collaborators/domain/collaborator.ts';
import { tagText } from '#collaborators/contract/collaborator.ts';
import { shownReward } from '#programs/contract/program-terms.ts';
import { z } from 'zod';
import { choice, currencyCode } from '#core/contract/fields.ts';
import { listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownNumber,
  shownText,
} from '#core/contract/response-fields.ts';

const customRate = z.strictObject({
  programId: shownId({ description: 'The program’s id.', example: 3 }),
  programName: shownText({ description: 'The program’s name.', example: 'Ten percent' }),
  currency: shownCurrency(),
  reward: shownReward,
});

const collaboratorFigures = z
  .strictObject({
    collaboratorId: shownId({ description: 'The collaborator’s id.', example: 7 }),
    collaboratorName: shownText({ description: 'The collaborator’s name.', example: 'Ada' }),
    status: shownChoice(COLLABORATOR_STATUSES, { description: 'The collaborator’s status.', example: 'active' }),
    tags: z.array(z.string()).meta({ description: 'Your tags for the collaborator.', examples: [['influencer']] }),
    customRates: z.array(customRate).meta({
      description: 'The collaborator’s custom rates in active programs, sorted by program id.',
      examples: [[]],
    }),
    visits: shownInteger({ description: 'Referred visits.', example: 120 }),
    leads: shownInteger({ description: 'Leads.', example: 0 }),
    conversionRate: shownNumber({
      description: 'Sales in all currencies per visit, with six decimals. Null without visits.',
      example: 0.05,
    }).nullable(),
    lastSaleOn: shownText({
      description: 'The day of the collaborator’s last sale, which can be outside the period. Null without a sale.',
      example: '2026-09-28',
    }).nullable(),
    currency: shownCurrency(),
    sales: shownInteger({
      description: 'Sales in this currency. If the amounts are converted, sales in all currencies.',
      example: 6,
    }),
    revenue: shownAmount({
      description: 'The totals of sales and renewals. A correction counts on its own day.',
      example: 4999,
    }),
    refunded: shownAmount({ description: 'Refunded amounts, on the day of the refund.', example: 0 }),
    earned: shownAmount({
      description: 'Awards minus rejections, reductions and clawbacks, each on the day of its ledger entry.',
    }),
    withoutRate: z.array(z.string()).meta({
      description:
        'If the amounts are converted: the currencies with amounts that are left out, because they have no rate on or ' +
        'before their day.',
      examples: [[]],
    }),
  })
  .meta({ id: 'CollaboratorFigures', description: 'Figures of one collaborator in a period.' });

export const listFiguresByCollaborator = operation({
  method: 'GET',
  path: '/v1/figures/collaborators',
  tag: 'Figures',
  summary: 'List figures by collaborator',
  description:
    'Lists active collaborators, and other collaborators who have figures in the period. With `status`, lists all ' +
    'collaborators in that state. The figures are those of `GET /v1/figures` by collaborator. Days are in the ' +
    'organization’s time zone. A transaction counts for each collaborator who has a conversion on it. Amounts and ' +
    'sales count one currency, so send `currency`, or `converted=true` for all currencies in the reporting currency. ' +
    '`firstTag` sorts by the first tag in alphabetical order. `highestCustomRate` sorts by the highest custom rate: ' +
    'percentages rank above amounts. Collaborators without a tag or a custom rate come last in both directions.',
  scope: 'resources:read',
  query: listQuery(
    [
      'collaboratorId',
      'collaboratorName',
      'visits',
      'leads',
      'sales',
      'conversionRate',
      'revenue',
      'refunded',
      'earned',
      'lastSaleOn',
      'highestCustomRate',
      'firstTag',
    ],
    {
      ...daySpan,
      status: choice(COLLABORATOR_STATUSES, { description: 'Collaborators in this state.' }),
      tag: tagText,
      search: searchFilter('the name, the nickname, the email address or the code of a current alias'),
      currency: currencyCode({ description: 'The currency of the amounts and sales.' }),
      converted: choice(['true', 'false'], {
        description: 'Whether amounts of all currencies are converted into the reporting currency.',
        example: 'true',
      }),
    },
    [],
    ['from', 'until'],
  ).superRefine(({ filters: { from, until, currency, converted } }, context) => {
    checkSpan({ from, until }, context);
    if (currency !== undefined || converted === 'true') return;
    const message = 'Send a currency, or converted=true.';
    addFault(context, ['currency'], 'required', message);
  }),
  mayLag: true,
  success: listSuccess(collaboratorFigures, 'The figures.'),
});
