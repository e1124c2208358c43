import * as fc from 'fast-check';

/** Something of which there are several: the n-th that was made; beyond the last there is none. */
type Which = number;

const STATUSES = ['pending', 'active', 'inactive', 'rejected'] as const;

/** What a merchant may ask for, drawn without looking at what there is: so each part of a sequence can be left out. */
export type Command = {
  readonly [Name in keyof typeof COMMANDS]: (typeof COMMANDS)[Name] extends fc.Arbitrary<infer Of>
    ? { readonly do: Name; readonly of: Of; readonly again: boolean; readonly elsewhere: boolean }
    : never;
}[keyof typeof COMMANDS];

/** Mostly one that is there. */
const which = fc.oneof({ weight: 4, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(4) });
const name = fc.stringMatching(/^[a-d]{1,2}$/);
const code = fc.constantFrom('one', 'ONE', 'two', 'three');
const type = fc.constantFrom('tracking', 'coupon');
const alias = fc.record({ type, code });
const slug = fc.constantFrom('quiz', 'call');
const triggers = fc.oneof(fc.constant(['site-visit']), fc.subarray(['site-visit', 'quiz', 'call'], { minLength: 1 }));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const COMMANDS = {
  'create-collaborator': fc.record({
    name,
    status: fc.constantFrom('pending', 'active', 'inactive'),
    userId: maybe(fc.integer({ min: 1, max: 9 })),
    aliases: fc.array(alias, { maxLength: 2 }),
  }),
  'change-collaborator': fc.record({
    which,
    change: fc.record(
      {
        name,
        nickname: fc.option(name),
        status: fc.constantFrom(...STATUSES),
        userId: fc.option(fc.integer({ min: 1, max: 9 })),
      },
      { requiredKeys: [] },
    ),
  }),
  'delete-collaborator': fc.record({ which }),
  'erase-collaborator': fc.record({ which }),
  'erase-visitor': fc.record({ userId: fc.integer({ min: 1, max: 9 }) }),
  'move-collaborators': fc.record({
    action: fc.constantFrom('activate', 'deactivate', 'reject'),
    which: fc.array(which, { minLength: 1, maxLength: 4 }),
  }),
  'take-alias': fc.record({ which, alias }),
  'retire-alias': fc.record({ which, alias: fc.nat(6) }),
  'create-program': fc.record({
    name,
    status: fc.constantFrom('draft', 'active', 'inactive'),
    triggers,
    group: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(1) }),
  }),
  'change-program': fc.record({
    which,
    change: fc.record(
      {
        name,
        status: fc.constantFrom('draft', 'active', 'inactive'),
        windowDays: fc.constantFrom(30, 60),
        triggers,
        group: fc.option(which),
      },
      { requiredKeys: [] },
    ),
  }),
  'delete-program': fc.record({ which }),
  enrol: fc.record({ program: which, collaborator: which }),
  remove: fc.record({ program: which, collaborator: which }),
  'create-group': fc.record({
    name,
    rule: fc.constantFrom('newest', 'oldest'),
    programs: fc.uniqueArray(fc.nat(2), { maxLength: 2 }),
  }),
  'change-group': fc.record({
    which,
    change: fc.record(
      { name, rule: fc.constantFrom('newest', 'oldest'), programs: fc.uniqueArray(fc.nat(2), { maxLength: 2 }) },
      { requiredKeys: [] },
    ),
  }),
  'delete-group': fc.record({ which }),
  'create-event': fc.record({ slug, name }),
  'delete-event': fc.record({ which }),
  'create-key': fc.record({ label: name, scopes: fc.subarray(['events:write', 'resources:read'], { minLength: 1 }) }),
  'rename-key': fc.record({ which, label: name }),
  'rotate-key': fc.record({ which }),
  'revoke-key': fc.record({ which }),
  'create-webhook': fc.record({ path: name, description: maybe(name) }),
  'change-webhook': fc.record({
    which,
    change: fc.record(
      { path: name, description: fc.option(name), status: fc.constantFrom('active', 'paused') },
      { requiredKeys: [] },
    ),
  }),
  'delete-webhook': fc.record({ which }),
  'change-portal': fc.record(
    {
      slug: fc.option(fc.constantFrom('mugs', 'cups')),
      landingUrl: fc.option(fc.constantFrom('https://shop.example/', 'https://shop.example/two')),
      accent: fc.constantFrom('#4f46e5', '#112233'),
    },
    { requiredKeys: [] },
  ),
} as const satisfies Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Most others need a collaborator, a program or another thing that is there. */
const WEIGHTS: Readonly<Partial<Record<keyof typeof COMMANDS, number>>> = {
  'create-collaborator': 6,
  'create-program': 6,
  'change-collaborator': 4,
  'change-program': 4,
  'take-alias': 4,
  enrol: 4,
  'create-group': 4,
};
const WEIGHT = 2;

export const command: fc.Arbitrary<Command> = fc.oneof(
  ...(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]).map((name) => ({
    weight: WEIGHTS[name] ?? WEIGHT,
    arbitrary: fc.record({
      do: fc.constant(name),
      of: COMMANDS[name] as fc.Arbitrary<never>,
      /** Sent a second time under its Idempotency-Key. */
      again: fc.integer({ min: 0, max: 3 }).map((n) => n === 3),
      /** To the other one of two processes. */
      elsewhere: fc.boolean(),
    }) as fc.Arbitrary<Command>,
  })),
);

export type { Which };
