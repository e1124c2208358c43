import type { ProgramId } from '#core/ids.ts';
import { PORTAL_SLUG_PATTERN } from '#organizations/domain/portal.ts';
import { WISHED_CODE_PATTERN } from '../domain/portal-link.ts';
import { SIGN_UP_MODES } from '../domain/sign-up.ts';
import { z } from 'zod';
import { field, id, object, optional, refusal, text } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { brandFields } from './portal-settings.ts';
import { openedPortal } from './portal-session.ts';
import { shownChoice, shownFlag, shownId, shownText } from '#core/contract/response-fields.ts';
import { emailAddress } from '#core/contract/web-address.ts';

/*
 * The calls of an open portal that anyone can make. No response reveals whether an address is known: the responses are
 * the same, and any difference is sent by email.
 */

const tag = 'Portal log-in';
const TOKEN_PATTERN = /^[\w-]{43}$/;
const CODE_PATTERN = /^[0-9A-Za-z]{3}-?[0-9A-Za-z]{3}$/;
const SLUG = 'What stands in the portal’s address.';

export const ofPortal = z.object({ slug: portalSlug() });

const portal = z
  .strictObject({
    slug: shownText({ description: SLUG, example: 'adas-mugs' }),
    ...brandFields,
    demo: shownFlag({ description: 'Whether its data are made up, by `npm run demo`.' }),
    programs: z
      .array(
        z.strictObject({
          id: shownId({ description: 'The program’s id.', example: 5 }),
          name: shownText({ description: 'What it is called.', example: 'Friends' }),
          mode: shownChoice(SIGN_UP_MODES, {
            description: 'Whether a person looks at who signs up.',
            example: 'approval',
          }),
          headline: shownText({ description: 'What the merchant says about it.' })
            .nullable()
            .meta({ examples: ['Ten percent on every mug'] }),
          question: shownText({ description: 'What is asked at sign-up.' })
            .nullable()
            .meta({ examples: ['Where will you tell people of us?'] }),
          words: z
            .array(z.string())
            .meta({ description: 'What it pays, in plain sentences.', examples: [['You earn 10% of every sale.']] }),
        }),
      )
      .meta({ description: 'Active programs that are open to sign-up, by name. At most 200.' }),
  })
  .meta({ id: 'Portal', description: 'An organization’s portal, as everybody may see it.' });

export const getPortal = operation({
  method: 'GET',
  path: '/v1/portals/{slug}',
  tag,
  summary: 'Get a portal',
  description: 'How the portal looks, and the programs that one may sign up for.',
  scope: 'portal',
  keys: [],
  open: true,
  params: ofPortal,
  success: { status: 200, description: 'The portal.', body: portal },
  problems: ['not-found'],
});

export const signUp = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sign-ups',
  tag,
  summary: 'Sign up',
  description:
    'Mails a link to the address, good for 15 minutes and once: following it confirms the sign-up and logs in. Nothing is kept ' +
    'of a sign-up that is not confirmed. The answer is the same whether the address is known or not; at most 5 such mails in 15 minutes to one address.',
  scope: 'portal',
  keys: [],
  open: true,
  params: ofPortal,
  example: { programId: 5, name: 'Ada Lovelace', email: 'ada@example.com', answer: 'On my blog about tea' },
  body: object({
    programId: id<ProgramId>({ description: 'The program.', example: 5 }),
    name: text(
      1,
      255,
      { description: 'What they are called.', example: 'Ada Lovelace' },
      { noControlCharacters: true },
    ),
    email: emailAddress({ description: 'Where to reach them.', example: 'ada@example.com' }),
    answer: optional(text(1, 2_000, { description: 'What they answer to the program’s question.' })),
    code: optional(
      text(
        1,
        40,
        {
          description: 'The code that they wish for their links. Where it is taken a number follows it.',
          example: 'ada',
        },
        { pattern: WISHED_CODE_PATTERN },
      ),
    ),
  }),
  repeats: 'none',
  success: { status: 200, description: 'A mail is on its way, if one may be sent. No body.' },
  problems: ['not-found', 'invalid-request'],
});

export const requestPortalLink = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/links',
  tag,
  summary: 'Ask for a link to log in by',
  description:
    'Mails a link to the address, good for 15 minutes and once, and a code for who can’t follow it where they are: within another ' +
    'site’s page. The answer is the same whether the address is known or not; at most 5 such mails in 15 minutes to one address.',
  scope: 'portal',
  keys: [],
  open: true,
  params: ofPortal,
  body: object({ email: emailAddress({ description: 'The address.', example: 'ada@example.com' }) }),
  repeats: 'none',
  success: { status: 200, description: 'A mail is on its way, if the address is known. No body.' },
  problems: ['not-found'],
});

const TOKEN_OR_CODE = 'This takes a token, or an address with a code.';

export const openPortalSession = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sessions',
  tag,
  summary: 'Log in by a mailed link',
  description:
    'Takes the token of the link (the part after `#`), or the email address and the code of the email. Each works once, ' +
    'and a newer email voids both. After five wrong codes, the network that requested the email can no longer use the code. ' +
    'Wrong codes from other networks are counted separately. The link still works. Sets the session cookie.',
  scope: 'portal',
  keys: [],
  open: true,
  params: ofPortal,
  example: { token: 'q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o' },
  body: object({
    token: optional(text(43, 43, { description: 'The link’s token.' }, { pattern: TOKEN_PATTERN })),
    email: optional(emailAddress({ description: 'Or the address that the mail went to,', example: 'ada@example.com' })),
    code: optional(
      text(6, 7, { description: 'with the code that stands in it.', example: 'K7Q-M2X' }, { pattern: CODE_PATTERN }),
    ),
  }).superRefine(({ token, email, code }, context) => {
    const isWhole = token === undefined ? email !== undefined && code !== undefined : (email ?? code) === undefined;
    if (isWhole) return;
    context.addIssue({ code: 'custom', path: ['token'], message: TOKEN_OR_CODE, params: { code: 'required' } });
  }),
  repeats: 'token',
  takesSecret: ['token', 'code'],
  success: openedPortal,
  problems: ['not-found', 'link-expired'],
});

/** Returns the field for a portal slug. An invalid slug is reported like an unknown one. */
function portalSlug() {
  return field({ type: 'string', maxLength: 63 }, { description: SLUG, example: 'adas-mugs' }, (value) =>
    typeof value === 'string' && PORTAL_SLUG_PATTERN.test(value)
      ? value
      : refusal('invalid-format', 'There is no such portal.'),
  );
}
