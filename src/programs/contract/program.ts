import type { ProgramId } from '#core/ids.ts';
import {
  ATTRIBUTION_MODELS,
  CREDITS_PER,
  ENROLLMENTS,
  FIRST_PROGRAM_STATUSES,
  MAX_PROGRAMS,
  PAYABLE_KINDS,
  PROGRAM_STATUSES,
  type ProgramTerms,
} from '../domain/program.ts';
import { LINE_TYPES } from '../domain/line.ts';
import { z } from 'zod';
import {
  choice,
  choices,
  clearable,
  currencyCode,
  flag,
  id,
  integer,
  object,
  optional,
  text,
} from '#core/contract/fields.ts';
import { idsFilter, listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import {
  capPerOrder,
  capPerPeriod,
  collaboratorRewards,
  groupId,
  lineFilter,
  minimumOrder,
  renewalRewards,
  renewals,
  reward,
  shownTerms,
  tiers,
  triggers,
} from './program-terms.ts';
import { holds } from './fraud-settings.ts';
import {
  shownChoice,
  shownCurrency,
  shownFlag,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';

const operation = operationsOf('Programs');
const MAX_WINDOW_DAYS = 3_650;

const fields = {
  name: text(1, 255, { description: 'The program’s name.', example: 'Friends' }),
  description: text(1, 2_000, { description: 'The program’s purpose.', example: 'Ten percent for friends' }),
  status: choice(FIRST_PROGRAM_STATUSES, { description: 'Only active programs pay.' }),
  currency: currencyCode({
    description: 'The currency of fixed amounts, which are paid only for sales in this currency.',
  }),
  windowDays: integer(1, MAX_WINDOW_DAYS, {
    description: 'The number of 24-hour days after the last touch during which a sale counts.',
    example: 30,
  }),
  attribution: choice(ATTRIBUTION_MODELS, {
    description: 'Which collaborator gets the credit if several referred the visitor.',
  }),
  countedLines: choices(LINE_TYPES, { description: 'The kinds of lines that count.' }, { min: 1 }),
  pays: choices(
    PAYABLE_KINDS,
    {
      description:
        'The kinds of events that the program pays for. The default is `lead` for rewards per lead, otherwise `sale`.',
    },
    { min: 1 },
  ),
  autoApprove: flag({ description: 'Whether conversions are approved at once.' }),
  approveAfterDays: integer(0, MAX_WINDOW_DAYS, {
    description:
      'Conversions are approved automatically this number of 24-hour days after the sale, lead or renewal. Can’t be ' +
      'combined with `autoApprove`.',
    example: 14,
  }),
  enrollment: choice(ENROLLMENTS, {
    description: 'The collaborators who can earn: everyone, or only enrolled collaborators.',
  }),
  creditsPer: choice(CREDITS_PER, { description: 'Whether every sale of a visitor earns, or only the first.' }),
};

/** The response fields of a program's terms, with its name and description. */
export const shownProgram = {
  name: shownText({ description: 'The program’s name.', example: 'Friends' }),
  description: shownText({ description: 'The program’s purpose.' }).nullable(),
  status: shownChoice(PROGRAM_STATUSES, {
    description: '`draft → active ⇄ inactive`, any `→ deleted`.',
    example: 'active',
  }),
  currency: shownCurrency(),
  windowDays: shownInteger({
    description: 'The number of 24-hour days after the last touch during which a sale counts.',
    example: 30,
  }),
  attribution: shownChoice(ATTRIBUTION_MODELS, { description: 'Which collaborator gets the credit.' }),
  countedLines: z
    .array(z.enum(LINE_TYPES))
    .meta({ description: 'The kinds of lines that count.', examples: [['product', 'discount']] }),
  pays: z.array(z.enum(PAYABLE_KINDS)).meta({ description: 'The kinds of events that the program pays for.' }),
  autoApprove: shownFlag({ description: 'Whether conversions are approved at once.' }),
  approveAfterDays: shownInteger({
    description: 'Conversions are approved automatically this number of 24-hour days after the sale, lead or renewal.',
  }).nullable(),
  enrollment: shownChoice(ENROLLMENTS, { description: 'The collaborators who can earn.' }),
  creditsPer: shownChoice(CREDITS_PER, { description: 'Whether every sale of a visitor earns.' }),
  ...shownTerms,
};

export const program = z
  .strictObject({
    id: shownId({ description: 'The program’s id.', example: 5 }),
    version: shownInteger({ description: 'The number of the newest version.', example: 1 }),
    ...shownProgram,
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When the newest version was created.' }),
  })
  .meta({ id: 'Program', description: 'The rules for commissions: who can earn, for which events, and how much.' });

export const programVersion = z
  .strictObject({
    programId: shownId({ description: 'The program’s id.', example: 5 }),
    version: shownInteger({ description: 'The number of the version, from 1.', example: 1 }),
    ...shownProgram,
    createdAt: shownTime({ description: 'When it was created.' }),
  })
  .meta({ id: 'ProgramVersion', description: 'A program as it was from one edit to the next. Versions never change.' });

function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}

/** The request fields of a new program. The request for a worked example has the same fields. */
export const newProgram = {
  name: fields.name,
  description: optional(fields.description).transform(orNull),
  status: optional(fields.status, 'active'),
  currency: optional(fields.currency, 'USD'),
  windowDays: optional(fields.windowDays, 30),
  attribution: optional(fields.attribution, 'last-touch'),
  reward,
  countedLines: optional(fields.countedLines, ['product', 'discount']),
  triggers: triggers.nullish().transform((value): ProgramTerms['triggers'] => value ?? { 'site-visit': 1 }),
  pays: optional(fields.pays),
  autoApprove: optional(fields.autoApprove, false),
  approveAfterDays: optional(fields.approveAfterDays).transform(orNull),
  enrollment: optional(fields.enrollment, 'everyone'),
  creditsPer: optional(fields.creditsPer, 'sale'),
  groupId: optional(groupId).transform(orNull),
  tiers: tiers.nullish().transform(orNull),
  capPerOrder: optional(capPerOrder).transform(orNull),
  capPerPeriod: capPerPeriod.nullish().transform(orNull),
  lineFilter: lineFilter.nullish().transform(orNull),
  minimumOrder: optional(minimumOrder).transform(orNull),
  collaboratorRewards: collaboratorRewards.nullish().transform((value) => value ?? []),
  renewals: renewals.nullish().transform(orNull),
  renewalRewards: renewalRewards.nullish().transform((value) => value ?? []),
  holds: holds.nullish().transform(orNull),
};

/** The request fields of a change of a program. All of them are optional. */
export const programChange = {
  name: optional(fields.name),
  description: clearable(fields.description),
  status: optional(fields.status),
  currency: optional(fields.currency),
  windowDays: optional(fields.windowDays),
  attribution: optional(fields.attribution),
  reward: reward.nullish().transform((value) => value ?? undefined),
  countedLines: optional(fields.countedLines),
  triggers: triggers.nullish().transform((value) => value ?? undefined),
  pays: optional(fields.pays),
  autoApprove: optional(fields.autoApprove),
  approveAfterDays: clearable(fields.approveAfterDays),
  enrollment: optional(fields.enrollment),
  creditsPer: optional(fields.creditsPer),
  groupId: clearable(groupId),
  tiers: tiers.nullish(),
  capPerOrder: clearable(capPerOrder),
  capPerPeriod: capPerPeriod.nullish(),
  lineFilter: lineFilter.nullish(),
  minimumOrder: clearable(minimumOrder),
  collaboratorRewards: collaboratorRewards.nullish().transform((value) => (value === null ? [] : value)),
  renewals: renewals.nullish(),
  renewalRewards: renewalRewards.nullish().transform((value) => (value === null ? [] : value)),
  holds: holds.nullish(),
};

const programId = z.object({ id: id<ProgramId>({ description: 'The program’s id.', example: 5 }) });

export const listPrograms = operation({
  method: 'GET',
  path: '/v1/programs',
  summary: 'List programs',
  description: 'Lists the programs that are not deleted. `status=deleted` lists deleted programs.',
  scope: 'resources:read',
  query: listQuery(['id', 'name', 'createdAt'], {
    name: fields.name,
    status: choice(PROGRAM_STATUSES, { description: 'Programs in this state.' }),
    currency: fields.currency,
    attribution: fields.attribution,
    enrollment: fields.enrollment,
    groupId,
    search: searchFilter('the name or the description'),
    ids: idsFilter,
  }),
  mayLag: true,
  success: listSuccess(program, 'Programs.'),
});

export const createProgram = operation({
  method: 'POST',
  path: '/v1/programs',
  summary: 'Create a program',
  description:
    'Creates a program with version 1. Without `triggers`, only visits count: `{"site-visit": 1}`. ' +
    `An organization can have up to ${MAX_PROGRAMS} programs.`,
  scope: 'resources:write',
  example: { name: 'Friends', reward: { type: 'percent', percent: 10 }, windowDays: 30, autoApprove: true },
  body: object(newProgram),
  versioned: true,
  success: { status: 201, description: 'The program.', body: program },
  problems: ['too-many-programs'],
});

export const getProgram = operation({
  method: 'GET',
  path: '/v1/programs/{id}',
  summary: 'Get a program',
  description: 'Returns the newest version of a program. This also works for deleted programs.',
  scope: 'resources:read',
  params: programId,
  versioned: true,
  success: { description: 'The program.', body: program },
});

export const changeProgram = operation({
  method: 'PATCH',
  path: '/v1/programs/{id}',
  reader: getProgram,
  summary: 'Change a program',
  description:
    'Creates a new version of a program with the given fields changed. Null removes an optional field. Earlier ' +
    'decisions keep the version that decided them. If nothing changes, no version is created.',
  scope: 'resources:write',
  params: programId,
  example: { reward: { type: 'percent', percent: 12.5 } },
  body: object(programChange),
  versioned: true,
  success: { description: 'The changed program.', body: program },
  problems: ['invalid-transition'],
});

export const deleteProgram = operation({
  method: 'DELETE',
  path: '/v1/programs/{id}',
  reader: getProgram,
  summary: 'Delete a program',
  description: 'Deletes a program. It pays nothing new, and earlier earnings stay. Repeating the call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params: programId,
  versioned: true,
  success: { description: 'The changed program.', body: program, example: { status: 'deleted' } },
});

export const listProgramVersions = operation({
  method: 'GET',
  path: '/v1/programs/{id}/versions',
  summary: 'List a program’s versions',
  description: 'Lists all versions of a program, newest first.',
  scope: 'resources:read',
  params: programId,
  query: listQuery(['version', 'createdAt'], {
    version: integer(1, 2_147_483_647, { description: 'This version.' }),
    status: choice(PROGRAM_STATUSES, { description: 'Versions with this status.' }),
  }),
  mayLag: true,
  success: listSuccess(programVersion, 'Versions.'),
});
