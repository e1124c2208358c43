import { PERSON_STATUSES } from '../domain/person.ts';
import type { PersonId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { shownChoice, shownFlag, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import { ROLES } from '#core/caller.ts';

const tag = 'People';

export const ROLE_WORDS =
  'An `owner` may do everything, a `manager` all but keys, the organization’s settings and people, a `viewer` may read.';

export const personName = text(
  1,
  255,
  { description: 'What they are called.', example: 'Ada Lovelace' },
  { noControlCharacters: true },
);
export const role = choice(ROLES, { description: 'What they may do.', example: 'manager' });

export const person = z
  .strictObject({
    id: shownId({ description: 'The person’s id: the audit has them as `person` with it.', example: 5 }),
    email: shownText({ description: 'The address that they log in with.', example: 'ada@example.com' }),
    name: shownText({ description: 'What they are called.', example: 'Ada Lovelace' }),
    role: shownChoice(ROLES, { description: 'What they may do.', example: 'manager' }),
    status: shownChoice(PERSON_STATUSES, { description: 'Who was removed can’t log in.', example: 'active' }),
    twoFactor: shownFlag({ description: 'Whether a password needs a code beside it.', example: true }),
    passkeys: shownInteger({ description: 'How many passkeys they have.', example: 1 }),
    createdAt: shownTime({ description: 'When they accepted their invitation.' }),
    lastSeenAt: shownTime({ description: 'When they last did something here, to the minute.' }).nullable(),
  })
  .meta({ id: 'Person', description: 'Somebody who works with the console.' });

const personId = z.object({ id: id<PersonId>({ description: 'The person’s id.', example: 5 }) });

export const listPeople = operation({
  method: 'GET',
  path: '/v1/people',
  tag,
  summary: 'List people',
  description: 'Those who may log in to the console, and with a filter by status those who once could.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'name', 'createdAt'], {
    status: choice(PERSON_STATUSES, { description: 'People in this state; the active ones unless told.' }),
    role: choice(ROLES, { description: 'People with this role.' }),
    email: text(1, 254, { description: 'The person with this address.' }),
  }),
  success: listSuccess(person, 'People.'),
  problems: ['invalid-request'],
});

export const getPerson = operation({
  method: 'GET',
  path: '/v1/people/{id}',
  tag,
  summary: 'Get a person',
  description: 'One of those who work with the console, also one who was removed.',
  scope: 'resources:read',
  keys: ['secret'],
  params: personId,
  success: { status: 200, description: 'The person.', body: person },
  problems: ['not-found'],
});

export const changePerson = operation({
  method: 'PATCH',
  path: '/v1/people/{id}',
  reader: getPerson,
  tag,
  summary: 'Change a person',
  description:
    'Changes the fields that are given; another role holds everywhere within a second. Nobody gives a role, or takes one, that may ' +
    'do more than they may themselves. An organization keeps one owner.',
  scope: 'people:write',
  keys: ['secret'],
  fresh: ['role'],
  params: personId,
  example: { role: 'viewer' },
  body: object({ name: optional(personName), role: optional(role) }),
  success: { status: 200, description: 'The person as they are now.', body: person },
  problems: ['not-found', 'invalid-transition', 'last-owner'],
});

export const removePerson = operation({
  method: 'DELETE',
  path: '/v1/people/{id}',
  reader: getPerson,
  revokes: true,
  tag,
  summary: 'Remove a person',
  description:
    'Ends their sessions, everywhere within a second, and takes their password, passkeys and second factor away. What they did stays ' +
    'in the audit. The same call again changes nothing. An organization keeps one owner.',
  scope: 'people:write',
  keys: ['secret'],
  fresh: true,
  params: personId,
  success: {
    status: 200,
    description: 'The person as they are now.',
    body: person,
    example: { status: 'removed', twoFactor: false, passkeys: 0 },
  },
  problems: ['not-found', 'last-owner'],
});
