import { GROUP_STATUSES } from '../domain/program-group.ts';
import type { ProgramGroupId, ProgramId } from '#core/ids.ts';
import { GROUP_RULES } from '../domain/program.ts';
import { z } from 'zod';
import { choice, id, list, object, optional, optionalList, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Program groups');
const MAX_PROGRAMS = 1_000;
const MEMBERS = 'All programs of the group, in any order.';

const name = text(1, 255, { description: 'The group’s name.', example: 'Partners or friends' });
const rule = choice(GROUP_RULES, {
  description: 'Whether the program with the newest or the oldest engagement pays.',
});
const member = id<ProgramId>({ description: 'A program that is in no other group.', example: 5 });

const programGroup = z
  .strictObject({
    id: shownId({ description: 'The group’s id.', example: 3 }),
    name: shownText({ description: 'The group’s name.', example: 'Partners or friends' }),
    rule: shownChoice(GROUP_RULES, { description: 'The rule that chooses the program that pays.' }),
    status: shownChoice(GROUP_STATUSES, { description: '`active → deleted`.' }),
    programIds: z
      .array(z.int().min(1))
      .meta({ description: 'The group’s programs, without deleted programs.', examples: [[5, 6]] }),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({
      description: 'When the group itself was last changed. Changes of its programs don’t count.',
    }),
  })
  .meta({ id: 'ProgramGroup', description: 'A group of programs. Only one of them pays for a transaction.' });

const groupId = z.object({ id: id<ProgramGroupId>({ description: 'The group’s id.', example: 3 }) });

export const listProgramGroups = operation({
  method: 'GET',
  path: '/v1/program-groups',
  summary: 'List program groups',
  description: 'Lists the program groups that are not deleted. `status=deleted` lists deleted program groups.',
  scope: 'resources:read',
  query: listQuery(['id', 'name', 'createdAt', 'updatedAt'], {
    name,
    rule,
    status: choice(GROUP_STATUSES, { description: 'Groups in this state.' }),
  }),
  mayLag: true,
  success: listSuccess(programGroup, 'Program groups.'),
});

export const createProgramGroup = operation({
  method: 'POST',
  path: '/v1/program-groups',
  summary: 'Create a program group',
  description:
    'Creates a program group, and a new version of each program in it. A program that is in another group is ' +
    'refused.',
  scope: 'resources:write',
  example: { name: 'Partners or friends', rule: 'newest', programIds: [5, 6] },
  body: object({ name, rule, programIds: list(member, { max: MAX_PROGRAMS, description: MEMBERS }) }),
  versioned: true,
  success: { status: 201, description: 'The group.', body: programGroup },
});

export const getProgramGroup = operation({
  method: 'GET',
  path: '/v1/program-groups/{id}',
  summary: 'Get a program group',
  description: 'Returns a program group. This also works for deleted program groups.',
  scope: 'resources:read',
  params: groupId,
  versioned: true,
  success: { description: 'The group.', body: programGroup },
});

export const changeProgramGroup = operation({
  method: 'PATCH',
  path: '/v1/program-groups/{id}',
  reader: getProgramGroup,
  summary: 'Change a program group',
  description:
    'Changes the given fields of a program group. `programIds` is the complete list of its programs. Added and ' +
    'removed programs get a new version, and other programs don’t. A sale is decided with the group before or ' +
    'after the change, never with a mix.',
  scope: 'resources:write',
  params: groupId,
  example: { programIds: [5, 6] },
  body: object({
    name: optional(name),
    rule: optional(rule),
    programIds: optionalList(member, { max: MAX_PROGRAMS, description: MEMBERS }),
  }),
  versioned: true,
  success: { description: 'The changed group.', body: programGroup },
  problems: ['invalid-transition'],
});

export const deleteProgramGroup = operation({
  method: 'DELETE',
  path: '/v1/program-groups/{id}',
  reader: getProgramGroup,
  summary: 'Delete a program group',
  description: 'Deletes a program group. Its programs no longer belong to a group. Repeating the call changes nothing.',
  scope: 'resources:write',
  params: groupId,
  versioned: true,
  success: { description: 'The changed group.', body: programGroup, example: { status: 'deleted' } },
});
