import type { AliasId } from '#core/ids.ts';
import { MAX_LINKS, SUB_ID_PATTERN } from '../domain/portal-link.ts';
import { z } from 'zod';
import { id, object, optional, text } from '#core/contract/fields.ts';
import { webUrl } from '#core/contract/web-address.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Portal pages');
const PAGE = 'The page that the link opens, on one of the merchant’s sites.';
const SUB_ID = 'The collaborator’s name for the link, such as `newsletter`: letters, digits, `_` and `-`.';
const NO_SUB_ID =
  'This must have only letters, digits, - and _, and begin with a letter or a digit, such as newsletter.';

/**
 * The number of days for which visits and conversions of links are counted. It is also the maximum period of figures.
 */
export const COUNTED_DAYS = 400;

const fields = {
  id: shownId({ description: 'The link’s id.', example: 9 }),
  type: shownChoice(['link', 'coupon'], { description: 'A link, or a coupon code.' }),
  code: shownText({ description: 'The code of the link or coupon.', example: 'ada.newsletter' }),
  subId: shownText({ description: SUB_ID })
    .nullable()
    .meta({ examples: ['newsletter'] }),
  url: shownText({ description: 'The URL of the link. Null for a coupon.' })
    .nullable()
    .meta({ examples: ['https://shop.example/?ref=ada.newsletter'] }),
  shortUrl: shownText({ description: 'The short link. Null for a coupon, and without a link domain.' })
    .nullable()
    .meta({ examples: ['https://go.shop.example/ada/newsletter'] }),
  pageUrl: shownText({ description: `${PAGE} Null: the landing page.` })
    .nullable()
    .meta({ examples: ['https://shop.example/mugs'] }),
  createdAt: shownTime({ description: 'When it was created.' }),
};

const newLink = z
  .strictObject(fields)
  .meta({ id: 'NewPortalLink', description: 'A link that was just created, so it has no visits yet.' });

const portalLink = z
  .strictObject({
    ...fields,
    visits: shownInteger({ description: `Visits through the link in the last ${COUNTED_DAYS} days.`, example: 42 }),
    conversions: shownInteger({ description: 'Conversions through the link in the same period.', example: 3 }),
  })
  .meta({ id: 'PortalLink', description: 'A link or a coupon with which a collaborator refers visitors.' });

export const listPortalLinks = operation({
  method: 'GET',
  path: '/v1/portal/links',
  summary: 'List your links',
  description: `Lists your current links and coupons, oldest first, at most ${MAX_LINKS}.`,
  scope: 'portal',
  success: { description: 'The links.', body: z.array(portalLink) },
});

export const createPortalLink = operation({
  method: 'POST',
  path: '/v1/portal/links',
  summary: 'Create a link',
  description:
    'Creates a link. With a `subId`, the link has the code `<code>.<subId>` and its own figures. An existing ' +
    'link is returned unchanged. Without a `subId`, creates your first link if you have none. With a `pageUrl`, the link ' +
    'opens that page instead of the landing page. If the link exists with another page, the response is a 409. You can’t ' +
    'create links while your account is pending, or while you must accept the partner agreement. You can have up to ' +
    `${MAX_LINKS} links and coupons, and can create 200 links in a day.`,
  scope: 'portal',
  body: object({
    subId: optional(
      text(1, 64, { description: SUB_ID, example: 'newsletter' }, { pattern: SUB_ID_PATTERN, mismatch: NO_SUB_ID }),
    ),
    pageUrl: optional(webUrl({ description: `${PAGE} Requires a \`subId\`.`, example: 'https://shop.example/mugs' })),
  }),
  success: { status: 201, description: 'The link.', body: newLink },
  problems: ['invalid-request', 'invalid-transition', 'code-taken', 'too-many-links'],
});

export const retirePortalLink = operation({
  method: 'DELETE',
  path: '/v1/portal/links/{id}',
  summary: 'Retire a link',
  description:
    'Retires a link, so that it is no longer valid. Earlier visits and earnings stay. Repeating the call ' +
    'changes nothing. Only the merchant can retire coupons and the first link.',
  scope: 'portal',
  params: z.object({ id: id<AliasId>({ description: 'The link’s id.', example: 9 }) }),
  success: { description: 'The link is retired. No body.' },
  problems: ['invalid-transition'],
});
