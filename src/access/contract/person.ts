import { PERSON_STATUSES } from '../domain/person.ts';
import type { PersonId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownFlag, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import { ROLES } from '#core/caller.ts';

const operation = operationsOf('People');

export const personName = text(
  1,
  255,
  { description: 'Their name.', example: 'Ada Lovelace' },
  { noControlCharacters: true },
);
export const role = choice(ROLES, { description: 'The person’s role.', example: 'manager' });

export const person = z
  .strictObject({
    id: shownId({ description: 'The person’s id. The audit log names them as `person` with this id.', example: 5 }),
    email: shownText({ description: 'The email address of the account.', example: 'ada@example.com' }),
    name: shownText({ description: 'Their name.', example: 'Ada Lovelace' }),
    role: shownChoice(ROLES, { description: 'The person’s role.', example: 'manager' }),
    status: shownChoice(PERSON_STATUSES, { description: 'Removed people can’t log in.', example: 'active' }),
    twoFactor: shownFlag({
      description: 'Whether the login requires a code in addition to the password.',
      example: true,
    }),
    passkeys: shownInteger({ description: 'The number of their passkeys.', example: 1 }),
    createdAt: shownTime({ description: 'When they accepted their invitation.' }),
    lastSeenAt: shownTime({ description: 'When they were last active, to the minute.' }).nullable(),
  })
  .meta({ id: 'Person', description: 'A person who uses the console.' });

const personId = z.object({ id: id<PersonId>({ description: 'The person’s id.', example: 5 }) });

export const listPeople = operation({
  method: 'GET',
  path: '/v1/people',
  summary: 'List people',
  description: 'Lists the people who can log in to the console. `status=removed` lists removed people.',
  scope: 'resources:read',
  query: listQuery(['id', 'name', 'createdAt'], {
    status: choice(PERSON_STATUSES, { description: 'People with this status. The default is active.' }),
    role: choice(ROLES, { description: 'People with this role.' }),
    email: text(1, 254, { description: 'The person with this email address.' }),
  }),
  success: listSuccess(person, 'People.'),
});

export const getPerson = operation({
  method: 'GET',
  path: '/v1/people/{id}',
  summary: 'Get a person',
  description: 'Returns a person who uses the console. This also works for removed people.',
  scope: 'resources:read',
  params: personId,
  success: { description: 'The person.', body: person },
});

export const changePerson = operation({
  method: 'PATCH',
  path: '/v1/people/{id}',
  reader: getPerson,
  summary: 'Change a person',
  description:
    'Changes the given fields of a person. A new role takes effect everywhere within a second. You can’t change a person ' +
    'whose role has more permissions than your own, or grant such a role. An organization keeps at least one owner.',
  scope: 'people:write',
  fresh: ['role'],
  params: personId,
  example: { role: 'viewer' },
  body: object({ name: optional(personName), role: optional(role) }),
  success: { description: 'The changed person.', body: person },
  problems: ['invalid-transition', 'last-owner'],
});

export const removePerson = operation({
  method: 'DELETE',
  path: '/v1/people/{id}',
  reader: getPerson,
  revokes: true,
  summary: 'Remove a person',
  description:
    'Removes a person from the console. Ends their sessions everywhere within a second, revokes their open invitations, ' +
    'and deletes their password, passkeys and second factor. Their actions stay in the audit log. Repeating the call ' +
    'changes nothing. An organization keeps at least one owner.',
  scope: 'people:write',
  fresh: true,
  params: personId,
  success: {
    description: 'The changed person.',
    body: person,
    example: { status: 'removed', twoFactor: false, passkeys: 0 },
  },
  problems: ['last-owner'],
});
