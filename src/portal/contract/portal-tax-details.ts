import { z } from 'zod';
import { GIVEN_TAX_DETAILS, givenTaxDetails, maskedDetails, SENT_BACK } from '#collaborators/contract/tax-details.ts';
import { object } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice } from '#core/contract/response-fields.ts';
import { TAX_SETTINGS } from '#payouts/domain/payout-request.ts';

const operation = operationsOf('Portal pages');

const portalTaxDetails = z
  .strictObject({
    setting: shownChoice(TAX_SETTINGS, {
      description: 'Whether the merchant asks for tax details. `required`: you can’t be paid without them.',
      example: 'required',
    }),
    taxDetails: maskedDetails.nullable().meta({ description: 'Null until they are set.' }),
  })
  .meta({ id: 'PortalTaxDetails', description: 'A collaborator’s own tax details, with masked numbers.' });

export const getPortalTaxDetails = operation({
  method: 'GET',
  path: '/v1/portal/tax-details',
  summary: 'Get your tax details',
  description: 'Returns your tax details, and whether the merchant asks for them. Numbers are masked.',
  scope: 'portal',
  success: { description: 'The details.', body: portalTaxDetails },
});

export const changePortalTaxDetails = operation({
  method: 'PATCH',
  path: '/v1/portal/tax-details',
  reader: getPortalTaxDetails,
  summary: 'Change your tax details',
  description:
    'Replaces your tax details. They are stored encrypted, and each change is reported to you by email. Only the merchant ' +
    'can remove them, because the merchant may have to report earlier payments.',
  scope: 'portal',
  fresh: ['taxDetails'],
  example: { taxDetails: GIVEN_TAX_DETAILS },
  body: object({ taxDetails: givenTaxDetails.meta({ description: `The tax details. ${SENT_BACK}` }) }),
  takesSecret: ['taxDetails'],
  hidden: ['taxDetails'],
  success: { description: 'The changed details.', body: portalTaxDetails },
  problems: ['invalid-transition'],
});
