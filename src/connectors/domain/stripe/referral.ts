import type { FindLink, JsonObject, LinkKey } from '../connector.ts';
import { idIn, isObject, objectIn, textIn } from '../json.ts';
import type { Clues } from '../customers.ts';
import type { StripeSettings } from './settings.ts';

const DUB_PREFIX = 'dub_id_';

/** Returns the texts that may be tracking ids, in the order of their precedence. */
export function trackingIdsIn(
  reference: string | undefined,
  metadata: readonly JsonObject[],
  { carriers }: Pick<StripeSettings, 'carriers'>,
): readonly string[] {
  if (carriers.includes('rewardful') && metadata.some((each) => each['rewardful'] === 'false')) return [];
  const names = [
    'whence',
    'referral',
    ...(carriers.includes('dub') ? ['dubClickId'] : []),
    ...(carriers.includes('tolt') ? ['tolt_referral'] : []),
  ];
  const isOfDub = carriers.includes('dub') && reference?.startsWith(DUB_PREFIX) === true;
  const shown = isOfDub ? reference?.slice(DUB_PREFIX.length) : reference;
  const found = [shown, ...metadata.flatMap((each) => names.map((name) => textIn(each, name)))];
  return [...new Set(found.filter((each) => each !== undefined))];
}

/** Returns the codes, names and ids of discounts that a merchant may have entered as a collaborator's coupon code. */
export function couponCodesIn(discounts: readonly JsonObject[], find: FindLink): readonly string[] {
  const found = discounts.flatMap((discount) => {
    const promotion = discount['promotion_code'];
    const id = idIn(discount, 'promotion_code');
    const coupon = isObject(discount['coupon']) ? discount : objectIn(discount, 'source');
    const linked = id === undefined ? undefined : find('promotion-code', id);
    return [
      isObject(promotion) ? textIn(promotion, 'code') : undefined,
      linked && textIn(linked, 'code'),
      id,
      idIn(coupon, 'coupon') ?? idIn(discount, 'coupon'),
      textIn(objectIn(coupon, 'coupon'), 'name'),
    ];
  });
  return [...new Set(found.filter((each) => each !== undefined))];
}

/** Returns the keys of the links that `couponCodesIn` reads. */
export function couponKeys(discounts: readonly JsonObject[]): readonly LinkKey[] {
  return discounts.flatMap((discount) => {
    const externalId = idIn(discount, 'promotion_code');
    return externalId === undefined ? [] : [{ kind: 'promotion-code', externalId }];
  });
}

/** Returns the discounts that are objects. Unexpanded discounts are skipped, because they are only ids. */
export function discountsIn(from: JsonObject): readonly JsonObject[] {
  const { discount, discounts } = from;
  const listed = Array.isArray(discounts) ? (discounts as readonly JsonObject[]) : [];
  return [discount, ...listed].filter((each) => isObject(each));
}

/** Returns the stored referral data of a Checkout Session, or undefined if no session has arrived. */
export function cluesOf(link: JsonObject | undefined): Clues | undefined {
  return link as Clues | undefined;
}
