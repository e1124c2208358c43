import type { ProgramId } from '#core/ids.ts';
import { PORTAL_SLUG_PATTERN } from '#organizations/domain/portal.ts';
import { REQUESTED_CODE_PATTERN } from '../domain/portal-link.ts';
import { MAX_ANSWER, MAX_FORM_FIELDS, MAX_LABEL } from '../domain/application-form.ts';
import { SIGN_UP_MODES } from '../domain/sign-up.ts';
import { z } from 'zod';
import { field, id, integer, object, optional, optionalList, refusal, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { formFields } from './sign-up.ts';
import { brandFields } from './portal-settings.ts';
import { openedPortal } from './portal-session.ts';
import { shownChoice, shownFlag, shownId, shownInteger, shownText } from '#core/contract/response-fields.ts';
import { emailAddress } from '#core/contract/web-address.ts';
import { MODES } from '#core/mode.ts';

/*
 * The API operations of an open portal that need no login. No response reveals whether an email address is known. Only
 * the email shows whether the address is known.
 */

const operation = operationsOf('Portal login');
const TOKEN = { pattern: /^[\w-]{43}$/, mismatch: 'This must be the token of a link.' } as const;
/** An example of the token of a link. */
const TOKEN_EXAMPLE = 'q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o';
export const LINK_TOKEN = text(43, 43, { description: 'The link’s token.', example: TOKEN_EXAMPLE }, TOKEN);
const CODE_PATTERN = /^[0-9A-Za-z]{3}-?[0-9A-Za-z]{3}$/;
const NO_CODE = 'This must have only letters, digits, - and _, and begin with a letter or a digit, such as ada.';
const SLUG = 'The slug in the portal’s address.';

export const ofPortal = z.object({ slug: portalSlug() });

/** A program as a portal offers it, with its application form. */
export const offeredProgram = z.strictObject({
  id: shownId({ description: 'The program’s id.', example: 5 }),
  name: shownText({ description: 'The program’s name.', example: 'Friends' }),
  mode: shownChoice(SIGN_UP_MODES, {
    description: 'Whether a person reviews sign-ups.',
    example: 'approval',
  }),
  headline: shownText({ description: 'The merchant’s description of the program.' })
    .nullable()
    .meta({ examples: ['Ten percent on every mug'] }),
  fields: formFields,
  words: z
    .array(z.string())
    .meta({ description: 'The terms, in plain sentences.', examples: [['You earn 10% of every sale.']] }),
});

const portal = z
  .strictObject({
    slug: shownText({ description: SLUG, example: 'adas-mugs' }),
    ...brandFields,
    agreementVersion: shownInteger({
      description:
        'The version of the partner agreement that applicants accept. Null: there is none. ' +
        '`GET /v1/portals/{slug}/agreement` returns the text.',
    })
      .nullable()
      .meta({ examples: [2] }),
    demo: shownFlag({ description: 'Whether `npm run demo` created the organization with invented data.' }),
    mode: shownChoice(MODES, { description: 'The mode of the organization.' }),
    programs: z
      .array(offeredProgram)
      .meta({ description: 'Active programs that are open to sign-ups, sorted by name. At most 50.' }),
  })
  .meta({ id: 'Portal', description: 'An organization’s portal, as visitors see it.' });

export const getPortal = operation({
  method: 'GET',
  path: '/v1/portals/{slug}',
  summary: 'Get a portal',
  description: 'Returns the portal’s look, and the programs that are open to sign-ups.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  success: { description: 'The portal.', body: portal },
});

export const signUp = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sign-ups',
  summary: 'Sign up',
  description:
    'Emails a link and a code to the address. Either the link or the code works, once, within 15 minutes. It confirms ' +
    'the sign-up and logs the person in. An unconfirmed sign-up is not stored permanently. The response is the same for ' +
    'known and unknown addresses. Limit: 5 requests for one address in 15 minutes.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  example: {
    programId: 5,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    answers: [{ label: 'Where will you tell people about us?', value: 'On my blog about tea' }],
  },
  body: object({
    programId: id<ProgramId>({ description: 'The program.', example: 5 }),
    name: text(1, 255, { description: 'Their name.', example: 'Ada Lovelace' }, { noControlCharacters: true }),
    email: emailAddress({ description: 'Their email address.', example: 'ada@example.com' }),
    answers: optionalList(
      object({
        label: text(1, MAX_LABEL, { description: 'The label of the field.', example: 'Your site' }),
        value: text(0, MAX_ANSWER, {
          description:
            'The answer: text, an address for a `url` field, one of the choices, or `yes` for a checked checkbox.',
          example: 'https://tea.example',
        }),
      }),
      {
        max: MAX_FORM_FIELDS,
        description: 'The answers to the fields of the program’s form. Only required fields need an answer.',
      },
    ),
    invitation: optional(
      text(
        43,
        43,
        { description: 'The token of an invitation link. It must be a link for the program.', example: TOKEN_EXAMPLE },
        TOKEN,
      ),
    ),
    agreementVersion: optional(
      integer(1, 2_147_483_647, {
        description: 'The version of the partner agreement that they accept. Required if the portal has an agreement.',
        example: 2,
      }),
    ),
    code: optional(
      text(
        1,
        40,
        {
          description: 'The requested code for their links. If it is taken, a number is added.',
          example: 'ada',
        },
        { pattern: REQUESTED_CODE_PATTERN, mismatch: NO_CODE },
      ),
    ),
  }),
  repeats: 'none',
  success: { description: 'The email is queued. No body.' },
  problems: ['invalid-request', 'link-expired'],
});

export const requestPortalLink = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/links',
  summary: 'Request a login link',
  description:
    'Emails a login link and a code to the address. Either the link or the code works, once, within 15 minutes. The ' +
    'code is for people who can’t open the link, for example in a portal that is embedded in another site. If several ' +
    'collaborators have the address, up to three of them get an email. The response is the same for known and unknown ' +
    'addresses. Limit: 5 requests for one address in 15 minutes.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  body: object({ email: emailAddress({ description: 'The email address.', example: 'ada@example.com' }) }),
  repeats: 'none',
  success: { description: 'An email is sent if the address is known. No body.' },
});

const TOKEN_OR_CODE = 'Send a token, or an address with a code.';

export const openPortalSession = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sessions',
  summary: 'Log in with an emailed link',
  description:
    'Opens a session with the token of an emailed link (the part after `#`), or with the email address and the ' +
    'code from the same email. Sets the session cookie. Either the link or the code works, once, and a newer email ' +
    'replaces both. After five wrong codes, the network that requested the email can no longer use the code. Wrong ' +
    'codes from all other networks are counted together, with the same limit. The link still works.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  example: { token: TOKEN_EXAMPLE },
  body: object({
    token: optional(LINK_TOKEN),
    email: optional(
      emailAddress({ description: 'Without `token`: the email address, with `code`.', example: 'ada@example.com' }),
    ),
    code: optional(
      text(
        6,
        7,
        { description: 'The code in the email, with `email`.', example: 'K7Q-M2X' },
        { pattern: CODE_PATTERN, mismatch: 'This must be the code from the email, such as K7Q-M2X.' },
      ),
    ),
  }).superRefine(({ token, email, code }, context) => {
    const isWhole = token === undefined ? email !== undefined && code !== undefined : (email ?? code) === undefined;
    if (isWhole) return;
    addFault(context, ['token'], 'required', TOKEN_OR_CODE);
  }),
  repeats: 'token',
  takesSecret: ['token', 'code'],
  success: openedPortal,
  problems: ['link-expired'],
});

/** Returns the field for a portal slug. An invalid slug is reported like an unknown slug. */
function portalSlug() {
  return field({ type: 'string', maxLength: 63 }, { description: SLUG, example: 'adas-mugs' }, (value) =>
    typeof value === 'string' && PORTAL_SLUG_PATTERN.test(value)
      ? value
      : refusal('invalid-format', 'No portal has this slug. Check the slug.'),
  );
}
