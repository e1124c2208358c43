import type { RecipeSlug } from '#examples/recipes/recipes.ts';

/** A program of the shop, named after the recipe with its terms. The recipe with tiers has a second program, `vip`. */
export type Circle = RecipeSlug | 'vip';

export type Player = {
  readonly code: string;
  readonly name: string;
  readonly circle: Circle;
  /** The relative share of the traffic that this collaborator refers. */
  readonly weight: number;
  /** The currency of most of their visitors. */
  readonly currency: 'USD' | 'EUR';
  /** When they join, as a share of the time span (0 … 1). */
  readonly since: number;
  readonly coupon?: string;
  /** Their own customer id, so that they earn nothing from their own purchases. */
  readonly userId?: number;
};

const AFFILIATES: readonly Player[] = [
  { code: 'mira', name: 'Mira Fernweh', circle: 'ten-percent-affiliate', weight: 30, currency: 'USD', since: 0 },
  { code: 'tofu', name: 'Tofu & Thunder', circle: 'ten-percent-affiliate', weight: 9, currency: 'USD', since: 0 },
  { code: 'kiosk', name: 'Kiosk Kolibri', circle: 'ten-percent-affiliate', weight: 14, currency: 'EUR', since: 0 },
  { code: 'otto', name: 'Otto Ofenrohr', circle: 'ten-percent-affiliate', weight: 4, currency: 'EUR', since: 0.1 },
  { code: 'juno', name: 'Juno Jellybean', circle: 'ten-percent-affiliate', weight: 3, currency: 'USD', since: 0.2 },
  {
    code: 'slow',
    name: 'The Slow Breakfast Club',
    circle: 'ten-percent-affiliate',
    weight: 6,
    currency: 'USD',
    since: 0.35,
  },
  { code: 'pepe', name: 'Pepe Pimiento', circle: 'ten-percent-affiliate', weight: 2, currency: 'EUR', since: 0.5 },
  { code: 'nell', name: 'Nell Nightingale', circle: 'ten-percent-affiliate', weight: 1, currency: 'USD', since: 0.7 },
];

const FRIENDS: readonly Player[] = [
  {
    code: 'ada',
    name: 'Ada Teacup',
    circle: 'first-touch-referral',
    weight: 5,
    currency: 'USD',
    since: 0,
    userId: 9_001,
  },
  { code: 'bo', name: 'Bo Biscuit', circle: 'first-touch-referral', weight: 3, currency: 'USD', since: 0.05 },
  {
    code: 'cleo',
    name: 'Cleo Cardamom',
    circle: 'first-touch-referral',
    weight: 2,
    currency: 'USD',
    since: 0.3,
    userId: 9_003,
  },
  { code: 'dag', name: 'Dag Drizzle', circle: 'first-touch-referral', weight: 1, currency: 'EUR', since: 0.6 },
];

const PARTNERS: readonly Player[] = [
  {
    code: 'harbor',
    name: 'Harbour Street Café',
    circle: 'tiered-with-vip-group',
    weight: 16,
    currency: 'USD',
    since: 0,
  },
  { code: 'lark', name: 'Lark & Ladle', circle: 'tiered-with-vip-group', weight: 7, currency: 'USD', since: 0 },
  { code: 'pine', name: 'Pine Cone Pantry', circle: 'tiered-with-vip-group', weight: 3, currency: 'USD', since: 0.25 },
  { code: 'zora', name: 'Zora Zephyr', circle: 'vip', weight: 13, currency: 'USD', since: 0 },
];

const INFLUENCERS: readonly Player[] = [
  {
    code: 'rio',
    name: 'Rio Riot',
    circle: 'coupon-influencer',
    weight: 14,
    currency: 'USD',
    since: 0,
    coupon: 'RIO12',
  },
  {
    code: 'fern',
    name: 'Fern & Fable',
    circle: 'coupon-influencer',
    weight: 8,
    currency: 'USD',
    since: 0.15,
    coupon: 'FABLE',
  },
  {
    code: 'gus',
    name: 'Gus Galaxy',
    circle: 'coupon-influencer',
    weight: 3,
    currency: 'USD',
    since: 0.55,
    coupon: 'GALAXY10',
  },
];

const SHARING: readonly Player[] = [
  { code: 'quill', name: 'Quill Quarterly', circle: 'shared-multi-touch', weight: 8, currency: 'EUR', since: 0 },
  {
    code: 'ivy',
    name: 'Ivy Inkwell',
    circle: 'shared-multi-touch',
    weight: 6,
    currency: 'EUR',
    since: 0,
    coupon: 'IVY',
  },
  { code: 'wolf', name: 'Wolfgang Waffle', circle: 'shared-multi-touch', weight: 3, currency: 'EUR', since: 0.4 },
];

const OTHERS: readonly Player[] = [
  { code: 'desk', name: 'Deskmates Office Supply', circle: 'pay-per-lead', weight: 5, currency: 'USD', since: 0.1 },
  { code: 'event', name: 'Eventually Events', circle: 'pay-per-lead', weight: 3, currency: 'USD', since: 0.3 },
  { code: 'studio', name: 'Studio Sommersprosse', circle: 'royalty', weight: 0, currency: 'USD', since: 0 },
];

/** The collaborators, in the order in which they are created. */
export const CAST: readonly Player[] = [...AFFILIATES, ...FRIENDS, ...PARTNERS, ...INFLUENCERS, ...SHARING, ...OTHERS];

/** The applicants of the last days, who wait for approval. */
export const APPLICANTS = [
  {
    name: 'Bruno Breadcrumb',
    email: 'bruno@example.com',
    hoursBefore: 52,
    answer: 'On my podcast about bread and tea',
  },
  { name: 'Sunny Saffron', email: 'sunny@example.com', hoursBefore: 27, answer: 'In the newsletter of my spice shop' },
  { name: 'Vera Velvet', email: 'vera@example.com', hoursBefore: 5, answer: 'I review tableware, with photographs' },
] as const;

/** Returns the email address of a collaborator. No email is ever sent to it. */
export function emailOf({ code }: Pick<Player, 'code'>): string {
  return `${code}@example.com`;
}
