import { z } from 'zod';
import { TAX_STATUSES } from '../domain/tax-details.ts';
import { countryCode } from '#core/contract/country-field.ts';
import { choice, type Field, id, object, optional, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownText, shownTime } from '#core/contract/response-fields.ts';
import type { CollaboratorId } from '#core/ids.ts';

const operation = operationsOf('Collaborators');

const STATUS = 'Whether they are taxed as a person or as a business.';
const FIRST_NAME = 'The first name. Required for an individual.';
const LAST_NAME = 'The last name. Required for an individual.';
const LEGAL_NAME = 'The registered name. Required for a business.';
const COUNTRY = 'The country of tax residence, as ISO 3166 alpha-2.';
const STREET = 'Street and number of the main address.';
const CITY = 'The city.';
const REGION = 'The state or province. Required in the United States.';
const POSTAL_CODE = 'The postal code. Required in the United States.';
const ADDRESS_COUNTRY = 'The country of the address.';
const TIN = 'The tax identification number. Required for residents of the European Union and the United States.';
const TIN_COUNTRY = 'The country that issued the tax identification number.';
const VAT_NUMBER = 'The VAT number, if they have one.';
const REGISTRATION = 'The number in the business register. Required for a business in the European Union.';
const BIRTH = 'The date of birth. Required for an individual in the European Union, and refused for anyone else.';

const nullableText = (description: string, example: string | null) =>
  shownText({ description })
    .nullable()
    .meta({ examples: [example] });

/**
 * The fields of tax details in responses. `numbers` contains examples of the TIN and the date of birth, which are
 * masked or complete.
 */
export function shownTaxDetails(numbers: { readonly tin: string; readonly dateOfBirth: string }) {
  return z.strictObject({
    status: shownChoice(TAX_STATUSES, { description: STATUS, example: 'individual' }),
    firstName: nullableText(FIRST_NAME, 'Ada'),
    lastName: nullableText(LAST_NAME, 'Lovelace'),
    legalName: nullableText(LEGAL_NAME, null),
    country: shownText({ description: COUNTRY, example: 'DE' }),
    street: shownText({ description: STREET, example: 'Torstraße 1' }),
    city: shownText({ description: CITY, example: 'Berlin' }),
    region: nullableText(REGION, null),
    postalCode: nullableText(POSTAL_CODE, '10119'),
    addressCountry: shownText({ description: ADDRESS_COUNTRY, example: 'DE' }),
    tin: nullableText(TIN, numbers.tin),
    tinCountry: nullableText(TIN_COUNTRY, 'DE'),
    vatNumber: nullableText(VAT_NUMBER, null),
    registrationNumber: nullableText(REGISTRATION, null),
    dateOfBirth: nullableText(BIRTH, numbers.dateOfBirth),
    updatedAt: shownTime({ description: 'When the tax details were last changed.' }),
  });
}

export const WHOLE_NUMBERS = { tin: '36574261809', dateOfBirth: '1990-05-31' };

export const maskedDetails = shownTaxDetails({ tin: '••••1809', dateOfBirth: '••••' }).meta({
  id: 'TaxDetails',
  description:
    'The tax details of a collaborator. Numbers show at most their last four characters, and the date of birth is hidden.',
});

const line = { noControlCharacters: true };
const orNull = (of: Field<string>) => optional<string | null>(of, null);
const given = (max: number, description: string, example: string) =>
  orNull(text(1, max, { description, example }, line));

/** Tax details in requests, with null for absent fields. The command checks which fields are needed. */
export const givenTaxDetails = object({
  status: choice(TAX_STATUSES, { description: STATUS, example: 'individual' }),
  firstName: given(100, FIRST_NAME, 'Ada'),
  lastName: given(100, LAST_NAME, 'Lovelace'),
  legalName: given(200, LEGAL_NAME, 'Ada’s Reviews GmbH'),
  country: countryCode({ description: COUNTRY }),
  street: text(1, 200, { description: STREET, example: 'Torstraße 1' }, line),
  city: text(1, 100, { description: CITY, example: 'Berlin' }, line),
  region: given(100, REGION, 'Berlin'),
  postalCode: given(20, POSTAL_CODE, '10119'),
  addressCountry: orNull(
    countryCode({ description: `${ADDRESS_COUNTRY} The default is the country of tax residence.` }),
  ),
  tin: given(40, TIN, WHOLE_NUMBERS.tin),
  tinCountry: orNull(countryCode({ description: `${TIN_COUNTRY} The default is the country of tax residence.` })),
  vatNumber: given(40, VAT_NUMBER, 'DE136695976'),
  registrationNumber: given(40, REGISTRATION, 'HRB 86891'),
  dateOfBirth: given(10, `${BIRTH} As YYYY-MM-DD.`, WHOLE_NUMBERS.dateOfBirth),
});

export const GIVEN_TAX_DETAILS = {
  status: 'individual',
  firstName: 'Ada',
  lastName: 'Lovelace',
  country: 'DE',
  street: 'Torstraße 1',
  city: 'Berlin',
  postalCode: '10119',
  tin: WHOLE_NUMBERS.tin,
  dateOfBirth: WHOLE_NUMBERS.dateOfBirth,
} as const;

export const SENT_BACK = 'If a masked value is sent back unchanged, the stored value stays.';

const params = z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) });

const ofCollaborator = z
  .strictObject({ taxDetails: maskedDetails.nullable().meta({ description: 'Null until they are set.' }) })
  .meta({ id: 'CollaboratorTaxDetails', description: 'The tax details of a collaborator, if they are set.' });

export const getTaxDetails = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/tax-details',
  summary: 'Get a collaborator’s tax details',
  description:
    'Returns the tax details of a collaborator, with masked numbers. Only the year-end export and the export of personal ' +
    'data contain the full numbers.',
  scope: 'resources:write',
  params,
  success: { description: 'The details.', body: ofCollaborator },
});

export const changeTaxDetails = operation({
  method: 'PATCH',
  path: '/v1/collaborators/{id}/tax-details',
  reader: getTaxDetails,
  summary: 'Change a collaborator’s tax details',
  description:
    'Replaces the tax details of a collaborator. They are stored encrypted, and each change is reported to the ' +
    'collaborator by email. Null removes the details.',
  scope: 'resources:write',
  fresh: ['taxDetails'],
  params,
  example: { taxDetails: GIVEN_TAX_DETAILS },
  body: object({
    taxDetails: givenTaxDetails.nullish().meta({ description: `The tax details, or null. ${SENT_BACK}` }),
  }),
  takesSecret: ['taxDetails'],
  hidden: ['taxDetails'],
  success: { description: 'The changed details.', body: ofCollaborator },
  problems: ['invalid-transition'],
});
