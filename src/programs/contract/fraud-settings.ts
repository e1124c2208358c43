import { z } from 'zod';
import { readHostPattern } from '../domain/fraud-list.ts';
import { BUYER_DETAILS, type Holds } from '../domain/hold.ts';
import {
  choice,
  field,
  type Field,
  flag,
  integer,
  object,
  optional,
  optionalList,
  percent,
  refusal,
} from '#core/contract/fields.ts';
import { shownFlag, shownInteger, shownNumber } from '#core/contract/response-fields.ts';

/** The maximum of `secondsToSale`, which is a day. A longer time isn't a fraud signal. */
const MAX_SECONDS_TO_SALE = 86_400;
const MAX_VISITS_AN_HOUR = 1_000_000;
const MAX_AD_REFERRERS = 100;
const MAX_HOST = 255;

/** The field for a host pattern. Its value is in lower case. */
const hostPattern: Field<string> = field<string>(
  { type: 'string', maxLength: MAX_HOST },
  { description: 'A host, such as `bing.com`, `*.example.com` or `google.*`.', example: 'google.*' },
  (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_HOST) return refusal('too-long', `This must have at most ${MAX_HOST} characters.`);
    return readHostPattern(value) ?? refusal('invalid-format', 'This must be a host such as bing.com or google.*.');
  },
);

/** Returns an optional field for a percentage. Its value is a number, such as 0.05 for 0.05%. */
function rate(description: string, example: number): Field<number | undefined> {
  return optional(percent({ description, example })).transform((ppm) =>
    ppm === undefined ? undefined : ppm / PPM_PER_PERCENT,
  );
}

const PPM_PER_PERCENT = 10_000;

/** The field for the fraud settings of a program. Its value is null if all settings are off. */
export const holds: Field<Holds | null> = object({
  visitsFromAddress: optional(
    integer(1, MAX_VISITS_AN_HOUR, {
      description:
        'More than this number of visits of one collaborator from one address in a clock hour. Only visits reported by ' +
        'browsers count.',
      example: 20,
    }),
  ),
  visitsOfCollaborator: optional(
    integer(1, MAX_VISITS_AN_HOUR, {
      description: 'More than this number of visits of one collaborator in a clock hour.',
      example: 1_000,
    }),
  ),
  ownCoupon: optional(
    flag({ description: 'A coupon of a collaborator whose user id is, or was, the buyer’s.', example: true }),
    false,
  ),
  secondsToSale: optional(
    integer(1, MAX_SECONDS_TO_SALE, {
      description:
        'A sale or lead less than this number of seconds after the first touch, unless a coupon alone attributed it.',
      example: 10,
    }),
  ),
  adReferrers: optionalList(hostPattern, {
    max: MAX_AD_REFERRERS,
    description:
      'A visit from one of these hosts, which show advertising. `google.com` includes `www.google.com`. ' +
      '`*.example.com` includes subdomains, and `google.*` includes every suffix of one or two labels, such as ' +
      '`google.co.uk`.',
  }),
  buyerDetails: optionalList(choice(BUYER_DETAILS, { description: 'A detail of the buyer.' }), {
    max: BUYER_DETAILS.length,
    description: 'Details that the buyer shares with the collaborator, if the sale’s report has a `buyer`.',
  }),
  minConversionRate: rate(
    'Fewer sales and leads per 100 visits of a collaborator than this are shown as a fraud signal about the collaborator.',
    0.05,
  ),
  maxConversionRate: rate(
    'More sales and leads per 100 visits of a collaborator than this are shown as a fraud signal about the collaborator.',
    30,
  ),
  maxRefundRate: rate(
    'Refunds of more than this percentage of a collaborator’s revenue are shown as a fraud signal about the collaborator.',
    30,
  ),
})
  .transform(
    ({
      visitsFromAddress = null,
      visitsOfCollaborator = null,
      secondsToSale = null,
      minConversionRate = null,
      maxConversionRate = null,
      maxRefundRate = null,
      ownCoupon,
      ...lists
    }): Holds | null => {
      const adReferrers = [...new Set(lists.adReferrers ?? [])];
      const buyerDetails = BUYER_DETAILS.filter((detail) => lists.buyerDetails?.includes(detail));
      const limits = {
        visitsFromAddress,
        visitsOfCollaborator,
        secondsToSale,
        minConversionRate,
        maxConversionRate,
        maxRefundRate,
      };
      const isOn = ownCoupon || adReferrers.length + buyerDetails.length > 0;
      return isOn || Object.values(limits).some((limit) => limit !== null)
        ? { ...limits, ownCoupon, adReferrers, buyerDetails }
        : null;
    },
  )
  .meta({
    description:
      'Fraud signals that send a conversion to review. The three rates are only shown as fraud signals about a ' +
      'collaborator. An absent fraud signal is off.',
  });

/** The fraud settings of a program in responses. */
export const shownHolds = z
  .strictObject({
    visitsFromAddress: shownInteger({
      description: 'More than this number of visits of one collaborator from one address in a clock hour.',
      example: 20,
    }).nullable(),
    visitsOfCollaborator: shownInteger({
      description: 'More than this number of visits of one collaborator in a clock hour.',
      example: 1_000,
    }).nullable(),
    ownCoupon: shownFlag({ description: 'A coupon used by its owner.' }),
    secondsToSale: shownInteger({
      description: 'A sale or lead less than this number of seconds after the first touch.',
      example: 10,
    }).nullable(),
    adReferrers: z
      .array(z.string())
      .meta({ description: 'A visit from one of these hosts.', examples: [['google.*', 'bing.com']] }),
    buyerDetails: z
      .array(z.enum(BUYER_DETAILS))
      .meta({ description: 'Details that the buyer shares with the collaborator.', examples: [['email', 'card']] }),
    minConversionRate: shownNumber({ description: 'Fewer sales and leads per 100 visits.', example: 0.05 }).nullable(),
    maxConversionRate: shownNumber({ description: 'More sales and leads per 100 visits.', example: 30 }).nullable(),
    maxRefundRate: shownNumber({ description: 'Refunds of more than this percentage.', example: 30 }).nullable(),
  })
  .nullable()
  .meta({
    description:
      'Fraud signals that send a conversion to review. The three rates are only shown as fraud signals about a ' +
      'collaborator. Null means off.',
  });
