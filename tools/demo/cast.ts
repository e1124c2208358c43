import type { RecipeSlug } from '#examples/recipes/recipes.ts';
import type { Referrer } from '#tools/traffic/story.ts';

/**
 * A program of the shop, named after the recipe that defines its terms. The recipe with tiers has a second program,
 * `vip`.
 */
export type Circle = RecipeSlug | 'vip';

export type Player = Referrer & {
  readonly code: string;
  readonly name: string;
  readonly circle: Circle;
  /** The relative share of the traffic that this collaborator refers. */
  readonly weight: number;
  /** When the collaborator joins, as a share of the time span (0 to 1). */
  readonly since: number;
};

type Row = readonly [
  code: string,
  name: string,
  weight: number,
  currency: 'USD' | 'EUR',
  since: number,
  more?: Pick<Referrer, 'coupon' | 'userId'>,
];

/** The collaborators of each program, and the behavior of the visitors that they refer, such as the share of buyers. */
const CIRCLES: readonly (readonly [
  circle: Circle,
  habits: Omit<Referrer, 'link' | 'currency'>,
  rows: readonly Row[],
])[] = [
  [
    'ten-percent-affiliate',
    { buyers: 0.066 },
    [
      ['mira', 'Mira Fernweh', 30, 'USD', 0],
      ['tofu', 'Tofu & Thunder', 9, 'USD', 0],
      ['kiosk', 'Kiosk Kolibri', 14, 'EUR', 0],
      ['otto', 'Otto Ofenrohr', 4, 'EUR', 0.1],
      ['juno', 'Juno Jellybean', 3, 'USD', 0.2],
      ['slow', 'The Slow Breakfast Club', 6, 'USD', 0.35],
      ['pepe', 'Pepe Pimiento', 2, 'EUR', 0.5],
      ['nell', 'Nell Nightingale', 1, 'USD', 0.7],
      ['paula', 'Paula Paprika', 4, 'EUR', 0],
      ['moos', 'Moos & Mokka', 5, 'EUR', 0.05],
      ['linde', 'Linde Lavendel', 4, 'EUR', 0.15],
      ['bela', 'Béla Baguette', 3, 'EUR', 0.25],
    ],
  ],
  [
    'first-touch-referral',
    { buyers: 0.12 },
    [
      ['ada', 'Ada Teacup', 5, 'USD', 0, { userId: 9_001 }],
      ['bo', 'Bo Biscuit', 3, 'USD', 0.05],
      ['cleo', 'Cleo Cardamom', 2, 'USD', 0.3, { userId: 9_003 }],
      ['dag', 'Dag Drizzle', 1, 'EUR', 0.6],
    ],
  ],
  [
    'tiered-with-vip-group',
    { buyers: 0.075 },
    [
      ['harbor', 'Harbour Street Café', 16, 'USD', 0],
      ['lark', 'Lark & Ladle', 7, 'USD', 0],
      ['pine', 'Pine Cone Pantry', 3, 'USD', 0.25],
    ],
  ],
  ['vip', { buyers: 0.085 }, [['zora', 'Zora Zephyr', 13, 'USD', 0]]],
  [
    'coupon-influencer',
    { buyers: 0.075, couponUsers: 0.85 },
    [
      ['rio', 'Rio Riot', 14, 'USD', 0, { coupon: 'RIO12' }],
      ['fern', 'Fern & Fable', 8, 'USD', 0.15, { coupon: 'FABLE' }],
      ['gus', 'Gus Galaxy', 3, 'USD', 0.55, { coupon: 'GALAXY10' }],
      ['olive', 'Olive & Otter', 5, 'EUR', 0.1, { coupon: 'OLIVE' }],
      ['tessa', 'Tessa Tangerine', 4, 'EUR', 0.2, { coupon: 'TESSA5' }],
    ],
  ],
  [
    'shared-multi-touch',
    { buyers: 0.085, couponUsers: 0.5, subscribers: 0.2 },
    [
      ['quill', 'Quill Quarterly', 8, 'EUR', 0],
      ['ivy', 'Ivy Inkwell', 6, 'EUR', 0, { coupon: 'IVY' }],
      ['wolf', 'Wolfgang Waffle', 3, 'EUR', 0.4],
    ],
  ],
  [
    'pay-per-lead',
    { buyers: 0.09, asksForOffers: true },
    [
      ['desk', 'Deskmates Office Supply', 5, 'USD', 0.1],
      ['event', 'Eventually Events', 3, 'USD', 0.3],
    ],
  ],
  ['royalty', { buyers: 0 }, [['studio', 'Studio Sommersprosse', 0, 'USD', 0]]],
];

/** All collaborators, grouped by program. */
export const CAST: readonly Player[] = CIRCLES.flatMap(([circle, habits, rows]) =>
  rows.map(([code, name, weight, currency, since, more]) => {
    return { ...habits, ...more, link: `tracking:${code}`, code, name, circle, weight, currency, since };
  }),
);

/**
 * The applicants of the last days, who wait for approval. Three of them apply from one network, which is a fraud
 * signal.
 */
export const APPLICANTS = [
  ['Bruno Breadcrumb', 'bruno@example.com', 52, 'On my podcast about bread and tea'],
  ['Kettle Coupons', 'kettle@example.com', 31, 'On our coupon pages', '203.0.113.21'],
  ['Coupon Kettle', 'coupon.kettle@example.com', 30, 'On our coupon pages', '203.0.113.22'],
  ['Kettle Codes', 'codes@example.com', 29, 'On our coupon pages', '203.0.113.21'],
  ['Sunny Saffron', 'sunny@example.com', 27, 'In the newsletter of my spice shop'],
  ['Vera Velvet', 'vera@example.com', 5, 'I review tableware, with photographs'],
].map(([name, email, hoursBefore, answer, address]) => ({
  name,
  email,
  hoursBefore,
  answer,
  address,
})) as readonly Applicant[];

export type Applicant = {
  readonly name: string;
  readonly email: string;
  readonly hoursBefore: number;
  readonly answer: string;
  /** The applicant's network address. If undefined, the address of this computer. */
  readonly address: string | undefined;
};

/** Returns the email address of a collaborator. No email is ever sent to it. */
export function emailOf({ code }: Pick<Player, 'code'>): string {
  return `${code}@example.com`;
}
