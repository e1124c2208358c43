import { SLUG_PATTERN } from '../domain/custom-event.ts';
import type { CollaboratorId, ProgramGroupId } from '#core/ids.ts';
import { countStarCharacters, type LineFilter, type LineMatcher } from '../domain/line-filter.ts';
import { MAX_MINOR } from '#core/money.ts';
import { PERIODS } from '#core/period.ts';
import { MAX_OWN_REWARDS } from '../domain/program-terms.ts';
import {
  type CapPerPeriod,
  type ProgramTerms,
  type RenewalLimit,
  type RenewalReward,
  type Reward,
  TIER_MEASURES,
  type Tiers,
} from '../domain/program.ts';
import { LINE_TYPES } from '../domain/line.ts';
import { z } from 'zod';
import { addFault } from '#core/contract/parse.ts';
import { shownHolds } from './fraud-settings.ts';
import {
  choice,
  externalId,
  type Field,
  id,
  integer,
  list,
  minorAmount,
  object,
  optional,
  optionalList,
  percent,
  text,
} from '#core/contract/fields.ts';
import { NumberLiteral } from '#core/contract/number-literal.ts';
import {
  shownAmount,
  shownChoice,
  shownId,
  shownInteger,
  shownNumber,
  shownText,
} from '#core/contract/response-fields.ts';

/*
 * The parts of a program that have several fields, in requests and in responses. Rules between two parts are in the
 * domain (program-terms.ts), because an edit can change one part and keep the other.
 */

const MAX_POINTS = 1_000_000;
const MAX_TRIGGERS = 100;
const MAX_STEPS = 20;
const MAX_MATCHERS = 100;
/**
 * The maximum total length of the patterns with a `*` in a filter, in characters. The time to check a line is
 * proportional to this length.
 */
const MAX_PATTERN_CHARACTERS = 1_000;
const MAX_MONTHS = 1_200;
const MAX_TIMES = 1_000_000;

const amount = amountField('The amount in hundredths of the program’s currency, even if the currency has no decimals.');
const period = choice(PERIODS, {
  description: 'The period, in the UTC calendar. A week begins on Monday.',
  example: 'month',
});

function amountField(description: string) {
  return minorAmount(1n, MAX_MINOR, { description, example: 500 });
}

const rewardShapes = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('percent'),
    percent: percent({ description: 'Percent of the counted lines, up to four decimals.', example: 10.5 }),
  }),
  z.object({ type: z.literal('per-sale'), amount }),
  z.object({ type: z.literal('per-product'), amount }),
  z.object({ type: z.literal('per-lead'), amount }),
]);

export const reward: Field<Reward> = z
  .preprocess(
    (value) => (value instanceof NumberLiteral ? value.text : value),
    rewardShapes.transform((given): Reward =>
      given.type === 'percent' ? { type: 'percent', ratePpm: given.percent } : given,
    ),
  )
  .meta({ description: 'The reward: a share of the sale, or an amount for each sale, unit or lead.' });

const NO_SUCH_TRIGGER = 'No custom event has this slug. Create the custom event first.';

/**
 * The field for the triggers of a program. Malformed slugs are refused here. Slugs without a custom event are refused
 * with the same code later, when the slugs are looked up.
 */
export const triggers: Field<ProgramTerms['triggers']> = z
  .preprocess(
    (given, context) => {
      // A zod record silently ignores the key `__proto__`, so refuse it explicitly.
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
        addFault(context, ['__proto__'], 'unknown-trigger', NO_SUCH_TRIGGER);
      return given;
    },
    z.record(z.string(), optional(integer(1, MAX_POINTS, { description: 'Points for the score.', example: 1 }))),
  )
  .transform((given, context): ProgramTerms['triggers'] => {
    const points = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    if (points.length > MAX_TRIGGERS) {
      addFault(context, [], 'too-many', `This must have at most ${MAX_TRIGGERS} triggers.`);
      return z.NEVER;
    }
    for (const [name] of points) {
      if (!SLUG_PATTERN.test(name)) addFault(context, [name], 'unknown-trigger', NO_SUCH_TRIGGER);
    }
    return Object.fromEntries(points);
  })
  .meta({
    description:
      'Points that each trigger adds to the score: `site-visit`, `coupon-applied`, or the slug of a custom event. An ' +
      `absent trigger is off. At most ${MAX_TRIGGERS} triggers.`,
    examples: [{ 'site-visit': 1, 'coupon-applied': 5 }],
  });

export const groupId = id<ProgramGroupId>({
  description: 'The group of the program. Only one program of a group pays for a transaction.',
  example: 3,
});

export const tiers: Field<Tiers> = object({
  period,
  by: choice(TIER_MEASURES, {
    description: 'The measure: the sum awarded in the period, or the number of conversions.',
  }),
  steps: list(
    object({
      from: minorAmount(1n, MAX_MINOR, {
        description: 'The threshold: a sum in hundredths, or a number of conversions. Thresholds must increase.',
        example: 10_000,
      }),
      reward,
    }),
    { min: 1, max: MAX_STEPS, description: 'The tiers, from the lowest to the highest threshold.' },
  ),
}).meta({
  description:
    'Other rewards for collaborators who have earned enough in the period. The reward of the highest reached threshold ' +
    'applies.',
});

export const capPerOrder = amountField(
  'The maximum that the program pays for one transaction, in hundredths of its currency.',
);
export const minimumOrder = amountField(
  'The minimum total of a sale or renewal, in hundredths of the program’s currency.',
);
export const capPerPeriod: Field<CapPerPeriod> = object({ period, amount }).meta({
  description: 'The maximum sum of one collaborator’s awards in a period.',
});

const matcher = object({
  externalId: optional(externalId({ description: 'Lines with exactly this external id.', example: 'sku-7' })),
  name: optional(
    text(1, 255, {
      description:
        'Lines whose name matches: `*` stands for any text, and case is ignored. All patterns with `*` of a filter ' +
        `have at most ${MAX_PATTERN_CHARACTERS} characters in total.`,
      example: 'Gift*',
    }),
  ),
  type: optional(choice(LINE_TYPES, { description: 'Lines of this type.' })),
}).transform(({ externalId: value, name: pattern, type }, context): LineMatcher => {
  const matchers: LineMatcher[] = [
    ...(value === undefined ? [] : [{ by: 'externalId', value } as const]),
    ...(pattern === undefined ? [] : [{ by: 'name', pattern } as const]),
    ...(type === undefined ? [] : [{ by: 'type', type } as const]),
  ];
  const [only] = matchers;
  if (only !== undefined && matchers.length === 1) return only;
  const code = only === undefined ? 'too-few' : 'too-many';
  addFault(context, [], code, 'Send exactly one of externalId, name and type.');
  return z.NEVER;
});

/** The field for the line filter of a program. A filter without matchers becomes null. */
export const lineFilter: Field<LineFilter | null> = object({
  include: optionalList(matcher, { max: MAX_MATCHERS, description: 'Lines that count.' }),
  exclude: optionalList(matcher, {
    max: MAX_MATCHERS,
    description: 'Lines that never count, even if `include` matches them.',
  }),
})
  .transform(({ include = [], exclude = [] }, context) => {
    if (countStarCharacters({ include, exclude }) > MAX_PATTERN_CHARACTERS) {
      const most = `at most ${MAX_PATTERN_CHARACTERS} characters in total`;
      addFault(context, [], 'too-long', `The patterns with \`*\` must have ${most}. Shorten or remove patterns.`);
      return z.NEVER;
    }
    return include.length + exclude.length === 0 ? null : { include, exclude };
  })
  .meta({ description: 'Lines count if they match one of `include` (or `include` is empty) and none of `exclude`.' });

export const collaboratorRewards = list(
  object({
    collaboratorId: id<CollaboratorId>({ description: 'The collaborator with this reward.', example: 7 }),
    reward,
  }),
  {
    max: MAX_OWN_REWARDS,
    description:
      'Rewards for individual collaborators, at most one for each collaborator. They apply instead of renewal rewards, ' +
      'tiers and the program’s own reward.',
  },
);

export const renewals: Field<RenewalLimit> = object({
  months: optional(integer(1, MAX_MONTHS, { description: 'The number of months after the sale.', example: 12 })),
  times: optional(integer(1, MAX_TIMES, { description: 'The number of renewals of a sale.', example: 12 })),
})
  .transform(({ months = null, times = null }, context): RenewalLimit => {
    if (months !== null || times !== null) return { months, times };
    addFault(context, [], 'too-few', 'Send months, times or both.');
    return z.NEVER;
  })
  .meta({
    description: 'How long renewals of a sale are paid, if `pays` includes them. By default, there is no limit.',
  });

export const renewalRewards: Field<RenewalReward[]> = list(
  object({
    afterMonths: integer(0, MAX_MONTHS, {
      description: 'The age: calendar months after the sale. 0 means every renewal. The months must increase.',
      example: 12,
    }),
    reward,
  }),
  {
    max: MAX_STEPS,
    description:
      'Rewards of renewals by their age. The last reward whose age is reached applies instead of tiers and the program’s own reward.',
  },
);

export const shownReward = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('percent'),
      percent: shownNumber({ description: 'The percentage.', example: 10 }),
    }),
    z.strictObject({ type: z.literal('per-sale'), amount: shownAmount({ description: 'The amount for each sale.' }) }),
    z.strictObject({
      type: z.literal('per-product'),
      amount: shownAmount({ description: 'The amount for each counted unit.' }),
    }),
    z.strictObject({ type: z.literal('per-lead'), amount: shownAmount({ description: 'The amount for each lead.' }) }),
  ])
  .meta({ id: 'Reward', description: 'The reward of a program.' });

const shownPeriod = shownChoice(PERIODS, { description: 'The period, in the UTC calendar. A week begins on Monday.' });

const shownMatcher = z
  .union([
    z.strictObject({ externalId: shownText({ description: 'Lines with exactly this external id.' }) }),
    z.strictObject({ name: shownText({ description: 'Lines whose name matches.', example: 'Gift*' }) }),
    z.strictObject({ type: shownChoice(LINE_TYPES, { description: 'Lines of this type.' }) }),
  ])
  .meta({ id: 'LineMatcher', description: 'A condition on a line.' });

/** The response fields for the terms of a program. Their names are the same as in requests. */
export const shownTerms = {
  reward: shownReward,
  triggers: z.record(z.string(), z.int()).meta({
    description: 'Points that each trigger adds to the score. An absent trigger is off.',
    examples: [{ 'site-visit': 1 }],
  }),
  groupId: shownId({
    description: 'The group of the program. Only one program of a group pays for a transaction.',
  }).nullable(),
  tiers: z
    .strictObject({
      period: shownPeriod,
      by: shownChoice(TIER_MEASURES, { description: 'The measure.' }),
      steps: z.array(
        z.strictObject({
          from: shownInteger({ description: 'The threshold.', example: 10_000 }),
          reward: shownReward,
        }),
      ),
    })
    .nullable()
    .meta({ description: 'Other rewards for collaborators who have earned enough in the period.' }),
  capPerOrder: shownAmount({ description: 'The maximum that the program pays for one transaction.' }).nullable(),
  capPerPeriod: z
    .strictObject({ period: shownPeriod, amount: shownAmount({ description: 'The maximum amount.' }) })
    .nullable()
    .meta({ description: 'The maximum sum of one collaborator’s awards in a period.' }),
  lineFilter: z
    .strictObject({ include: z.array(shownMatcher), exclude: z.array(shownMatcher) })
    .nullable()
    .meta({
      description: 'Lines count if they match one of `include` (or `include` is empty) and none of `exclude`.',
    }),
  minimumOrder: shownAmount({ description: 'The minimum total of a sale or renewal.' }).nullable(),
  collaboratorRewards: z
    .array(z.strictObject({ collaboratorId: shownId({ description: 'The collaborator.' }), reward: shownReward }))
    .meta({
      description:
        'Rewards for individual collaborators. They apply instead of renewal rewards, tiers and the program’s own reward.',
      examples: [[]],
    }),
  renewals: z
    .strictObject({
      months: shownInteger({ description: 'The number of months after the sale.' }).nullable(),
      times: shownInteger({ description: 'The number of renewals of a sale.' }).nullable(),
    })
    .nullable()
    .meta({ description: 'How long renewals of a sale are paid.' }),
  renewalRewards: z
    .array(
      z.strictObject({
        afterMonths: shownInteger({ description: 'Calendar months after the sale.', example: 12 }),
        reward: shownReward,
      }),
    )
    .meta({
      description: 'Rewards of renewals by their age. The last reward whose age is reached applies.',
      examples: [[]],
    }),
  holds: shownHolds,
};
