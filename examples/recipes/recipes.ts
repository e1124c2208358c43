import type { CreateCustomEventBody, CreateProgramBody, CreateProgramGroupBody } from '@whence/sdk';

/**
 * A program, or a set of related programs, that a merchant can start with. The guided start offers the recipes, and the
 * demo uses them.
 */
export type Recipe = {
  readonly slug: string;
  readonly title: string;
  /** The intended use and the main rules, for merchants. */
  readonly explanation: string;
  /** Custom events that the programs use. They must be created before the programs. */
  readonly customEvents: readonly CreateCustomEventBody[];
  /**
   * The programs, in the order of their creation. If two programs of the group tie, the program with the older first
   * touch pays. If the first touches are equally old, the program created first pays.
   */
  readonly programs: readonly [CreateProgramBody, ...CreateProgramBody[]];
  /** The program group that contains all of the programs. Null if they are ungrouped. */
  readonly group: Omit<CreateProgramGroupBody, 'programIds'> | null;
};

/**
 * The default fraud signals. None of them rejects a conversion. Most send a conversion to fraud review, and the three
 * rates only flag a collaborator. The limits on visits are far above the visits of most collaborators.
 */
export const USUAL_HOLDS = {
  visitsFromAddress: 20,
  visitsOfCollaborator: 1_000,
  ownCoupon: true,
  secondsToSale: 10,
  // Search engines. A partner link on their result pages is usually an ad. Their mail and other services use other
  // hosts.
  adReferrers: ['google.*', 'bing.com', 'duckduckgo.com', 'search.yahoo.com', 'ecosia.org', 'yandex.*', 'baidu.com'],
  buyerDetails: ['email', 'name', 'card', 'address'] as ('email' | 'name' | 'card' | 'address')[],
  minConversionRate: 0.05,
  maxConversionRate: 30,
  maxRefundRate: 30,
};

export const RECIPES = [
  {
    slug: 'ten-percent-affiliate',
    title: 'Ten-percent affiliate',
    explanation:
      'Bloggers and reviewers link to your shop and get ten percent of what their readers buy within 30 days. The last ' +
      'link before the purchase counts, and two weeks are left for returns.',
    customEvents: [],
    programs: [
      {
        name: 'Affiliates',
        description: 'Ten percent for the last link',
        reward: { type: 'percent', percent: 10 },
        windowDays: 30,
        holds: USUAL_HOLDS,
        attribution: 'last-touch',
        approveAfterDays: 14,
      },
    ],
    group: null,
  },
  {
    slug: 'first-touch-referral',
    title: 'First-touch referral',
    explanation:
      'Customers refer their friends: ten dollars for the first order of a new customer, if it is 50 dollars or more. ' +
      'The first referrer gets the reward, even if other partners referred the friend later.',
    customEvents: [],
    programs: [
      {
        name: 'Bring a friend',
        description: 'Ten dollars for a friend’s first order',
        reward: { type: 'per-sale', amount: 1_000 },
        windowDays: 90,
        holds: USUAL_HOLDS,
        attribution: 'first-touch',
        creditsPer: 'opportunity',
        minimumOrder: 5_000,
        approveAfterDays: 30,
      },
    ],
    group: null,
  },
  {
    slug: 'tiered-with-vip-group',
    title: 'Tiers, with a VIP group',
    explanation:
      'Partners who sell more earn more: eight percent at first, and ten and then twelve within a month. Partners whom ' +
      'you enroll as VIPs get fifteen percent instead, never both rewards.',
    customEvents: [],
    programs: [
      {
        name: 'VIP partners',
        description: 'Fifteen percent for enrolled partners',
        reward: { type: 'percent', percent: 15 },
        windowDays: 60,
        holds: USUAL_HOLDS,
        enrollment: 'selected',
      },
      {
        name: 'Partners',
        description: 'Eight percent, and more in a good month',
        reward: { type: 'percent', percent: 8 },
        windowDays: 60,
        holds: USUAL_HOLDS,
        tiers: {
          period: 'month',
          by: 'sum',
          steps: [
            { from: 20_000, reward: { type: 'percent', percent: 10 } },
            { from: 50_000, reward: { type: 'percent', percent: 12 } },
          ],
        },
      },
    ],
    group: { name: 'Partner or VIP', rule: 'newest' },
  },
  {
    slug: 'coupon-influencer',
    title: 'Coupon influencer',
    explanation:
      'A code in a video or a podcast instead of a link: twelve percent of each order that uses it, up to 40 dollars an ' +
      'order and 1,500 a month. Visits through a link don’t count here.',
    customEvents: [],
    programs: [
      {
        name: 'Influencers',
        description: 'Twelve percent of orders with their code',
        reward: { type: 'percent', percent: 12 },
        windowDays: 1,
        holds: USUAL_HOLDS,
        triggers: { 'coupon-applied': 1 },
        capPerOrder: 4_000,
        capPerPeriod: { period: 'month', amount: 150_000 },
        autoApprove: true,
      },
    ],
    group: null,
  },
  {
    slug: 'shared-multi-touch',
    title: 'Shared multi-touch',
    explanation:
      'All partners who referred the buyer share ten percent of the order. A visit is worth one point, a coupon three. ' +
      'Renewals of subscriptions are paid for a year, in the same shares.',
    customEvents: [],
    programs: [
      {
        name: 'Shared credit',
        description: 'Ten percent, shared by points',
        reward: { type: 'percent', percent: 10 },
        windowDays: 45,
        holds: USUAL_HOLDS,
        attribution: 'weighted',
        triggers: { 'site-visit': 1, 'coupon-applied': 3 },
        pays: ['sale', 'renewal'],
        renewals: { months: 12 },
      },
    ],
    group: null,
  },
  {
    slug: 'pay-per-lead',
    title: 'Pay per lead',
    explanation:
      'For products that are sold later and elsewhere: 25 dollars for each person who requests an offer. You review each ' +
      'lead before it is paid.',
    customEvents: [],
    programs: [
      {
        name: 'Leads',
        description: '25 dollars for each request for an offer',
        reward: { type: 'per-lead', amount: 2_500 },
        windowDays: 30,
        holds: USUAL_HOLDS,
        creditsPer: 'opportunity',
      },
    ],
    group: null,
  },
  {
    slug: 'royalty',
    title: 'Royalty',
    explanation:
      'A designer or an author gets 1.50 for each piece of their own work that is sold, with or without a referral. Your ' +
      'server reports the event `work-sold` for them before the sale. Create one program for each person, and name their works.',
    customEvents: [{ slug: 'work-sold', name: 'Work of a designer in the order' }],
    programs: [
      {
        name: 'Royalty',
        description: '1.50 for each piece of the collection',
        reward: { type: 'per-product', amount: 150 },
        windowDays: 1,
        triggers: { 'work-sold': 1 },
        countedLines: ['product'],
        lineFilter: { include: [{ name: 'Studio*' }] },
        enrollment: 'selected',
        autoApprove: true,
      },
    ],
    group: null,
  },
] as const satisfies readonly Recipe[];

export type RecipeSlug = (typeof RECIPES)[number]['slug'];

/** Returns the recipe with the given slug. */
export function recipeOf(slug: RecipeSlug): Recipe {
  return RECIPES.find((recipe) => recipe.slug === slug) as Recipe;
}
