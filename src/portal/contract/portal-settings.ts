import { type Logo, LOGO_TYPES, logoUrl, MAX_LOGO_BYTES, readLogo } from '#organizations/domain/logo.ts';
import {
  ACCENT_PATTERN,
  DEFAULT_ACCENT,
  PORTAL_SLUG_PATTERN,
  REF_PARAMETER_PATTERN,
} from '#organizations/domain/portal.ts';
import { z } from 'zod';
import { clearable, type Field, field, object, optional, optionalList, refusal, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownText } from '#core/contract/response-fields.ts';
import { domainName, emailAddress, webOrigin, webUrl } from '#core/contract/web-address.ts';

const operation = operationsOf('Portal');
const MAX_EMBED_ORIGINS = 20;
const MAX_LINK_ORIGINS = 20;
/** The maximum length of a logo's data URL. Base64 needs four characters for three bytes. */
const MAX_LOGO_URL = 'data:image/svg+xml;base64,'.length + Math.ceil(MAX_LOGO_BYTES / 3) * 4;

const SLUG = 'The slug in the portal’s address, `<base>/portal/<slug>/`. Null: the portal is closed.';
const NO_SLUG =
  'This must have only lower-case letters, digits and hyphens, and no hyphen at either end, such as adas-mugs.';
const NAME = 'The name that collaborators see. The default is the organization’s name.';
const ACCENT = 'The color of buttons and links, as `#rrggbb`.';
const NO_COLOR = 'This must be a color such as #0f766e.';
const LOGO = `A PNG, SVG or WebP as a data: URL in base64, at most ${MAX_LOGO_BYTES} bytes. Also served at \`<base>/portal/<slug>/logo\`.`;
const SUPPORT = 'The email address where collaborators get help.';
const TERMS = 'The address of your terms for collaborators.';
const LANDING = 'The page of your shop that partner links open. An open portal requires it.';
const PARAMETER = 'The parameter of a link that contains its code. Use the same name in the snippet’s settings.';
const NO_PARAMETER = 'This must have only letters, digits, - and _, and begin with a letter, such as ref.';
const LINK_ORIGINS =
  'Sites whose pages partner links can open, such as `https://blog.shop.example`. Pages of the landing page’s site are always allowed.';
const LINK_DOMAIN =
  'The domain of short links, such as `go.shop.example`. Your proxy must forward it to the service. Null: there are no short links.';
const PORTAL_DOMAIN =
  'The domain of the portal, such as `partners.shop.example`. The portal is then at its root, and emails link to it. The operator must list the domain in `CUSTOM_DOMAINS`. Null: the portal is only below `<base>/portal/<slug>/`.';
const ORIGINS = 'Sites that can embed the portal in an iframe, such as `https://shop.example`.';

const logo: Field<Logo> = field(
  { type: 'string', maxLength: MAX_LOGO_URL, pattern: `^data:(${LOGO_TYPES.join('|').replace('+', '\\+')});base64,` },
  { description: LOGO },
  (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    const read = value.length > MAX_LOGO_URL ? `must be at most ${MAX_LOGO_BYTES} bytes` : readLogo(value);
    return typeof read === 'string' ? refusal('invalid-logo', `This ${read}.`) : read;
  },
);

/** The fields that determine the appearance of a portal page. */
export const brandFields = {
  name: shownText({ description: 'The merchant’s name.', example: 'Ada’s Mugs' }),
  accent: shownText({ description: ACCENT, example: DEFAULT_ACCENT }),
  logo: shownText({ description: LOGO })
    .nullable()
    .meta({
      examples: [logoUrl({ type: 'image/svg+xml', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') })],
    }),
  supportEmail: shownText({ description: SUPPORT })
    .nullable()
    .meta({ examples: ['partners@shop.example'] }),
  termsUrl: shownText({ description: TERMS })
    .nullable()
    .meta({ examples: ['https://shop.example/partners/terms'] }),
};

const portalSettings = z
  .strictObject({
    slug: shownText({ description: SLUG })
      .nullable()
      .meta({ examples: ['adas-mugs'] }),
    url: shownText({
      description: 'The portal’s URL, on `portalDomain` or below the setting PUBLIC_URL. Null if the portal is closed.',
    })
      .nullable()
      .meta({ examples: ['https://whence.example.com/portal/adas-mugs/'] }),
    ...brandFields,
    landingUrl: shownText({ description: LANDING })
      .nullable()
      .meta({ examples: ['https://shop.example/'] }),
    refParameter: shownText({ description: PARAMETER, example: 'ref' }),
    embedOrigins: z.array(z.string()).meta({ description: ORIGINS, examples: [['https://shop.example']] }),
    linkOrigins: z.array(z.string()).meta({ description: LINK_ORIGINS, examples: [['https://blog.shop.example']] }),
    linkDomain: shownText({ description: LINK_DOMAIN })
      .nullable()
      .meta({ examples: ['go.shop.example'] }),
    portalDomain: shownText({ description: PORTAL_DOMAIN })
      .nullable()
      .meta({ examples: ['partners.shop.example'] }),
  })
  .meta({ id: 'PortalSettings', description: 'The address and look of your portal.' });

export const getPortalSettings = operation({
  method: 'GET',
  path: '/v1/portal-settings',
  summary: 'Get the portal settings',
  description: 'Returns the address and look of your portal. The portal is closed until it has a `slug`.',
  scope: 'resources:read',
  versioned: true,
  success: { description: 'The settings.', body: portalSettings },
});

export const changePortalSettings = operation({
  method: 'PATCH',
  path: '/v1/portal-settings',
  reader: getPortalSettings,
  summary: 'Change the portal settings',
  description:
    'Changes the given settings of your portal. Null removes an optional field. The portal is open while it has ' +
    'a `slug`. When the slug changes, existing links of collaborators keep working. `slug: null` closes the ' +
    'portal and ends all its sessions.',
  scope: 'resources:write',
  fresh: [
    'slug',
    'landingUrl',
    'refParameter',
    'embedOrigins',
    'supportEmail',
    'termsUrl',
    'linkOrigins',
    'linkDomain',
    'portalDomain',
  ],
  example: { slug: 'adas-mugs', name: 'Ada’s Mugs', landingUrl: 'https://shop.example/' },
  body: object({
    slug: clearable(
      text(1, 63, { description: SLUG, example: 'adas-mugs' }, { pattern: PORTAL_SLUG_PATTERN, mismatch: NO_SLUG }),
    ),
    name: optional(text(1, 255, { description: NAME, example: 'Ada’s Mugs' }, { noControlCharacters: true })),
    accent: optional(
      text(1, 7, { description: ACCENT, example: DEFAULT_ACCENT }, { pattern: ACCENT_PATTERN, mismatch: NO_COLOR }),
    ),
    logo: clearable(logo),
    supportEmail: clearable(emailAddress({ description: SUPPORT, example: 'partners@shop.example' })),
    termsUrl: clearable(webUrl({ description: TERMS, example: 'https://shop.example/partners/terms' })),
    landingUrl: clearable(webUrl({ description: LANDING, example: 'https://shop.example/' })),
    refParameter: optional(
      text(
        1,
        32,
        { description: PARAMETER, example: 'ref' },
        { pattern: REF_PARAMETER_PATTERN, mismatch: NO_PARAMETER },
      ),
    ),
    embedOrigins: optionalList(webOrigin({ description: 'Scheme, host and port.', example: 'https://shop.example' }), {
      max: MAX_EMBED_ORIGINS,
      description: ORIGINS,
    }),
    linkOrigins: optionalList(
      webOrigin({ description: 'Scheme, host and port.', example: 'https://blog.shop.example' }),
      {
        max: MAX_LINK_ORIGINS,
        description: LINK_ORIGINS,
      },
    ),
    linkDomain: clearable(domainName({ description: LINK_DOMAIN, example: 'go.shop.example' })),
    portalDomain: clearable(domainName({ description: PORTAL_DOMAIN, example: 'partners.shop.example' })),
  }),
  versioned: true,
  success: { description: 'The changed settings.', body: portalSettings },
  problems: ['portal-taken', 'domain-taken'],
});
