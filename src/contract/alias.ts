import { ALIAS_TYPE_PATTERN, MAX_ALIAS_CODE } from '#domain/alias.ts';
import type { AliasId, CollaboratorId } from '#domain/ids.ts';
import { z } from 'zod';
import { choice, id, object, text } from './fields.ts';
import { listQuery, listSuccess, searchFilter } from './list.ts';
import { operation } from './operation.ts';
import { shownChoice, shownId, shownText, shownTime } from './response-fields.ts';

const tag = 'Collaborators';
const ALIAS_STATUSES = ['current', 'retired'] as const;

const aliasType = text(
  1,
  64,
  { description: '`tracking` for links, `coupon` for codes, or one of your own.', example: 'tracking' },
  { pattern: ALIAS_TYPE_PATTERN },
);
const aliasCode = text(
  1,
  MAX_ALIAS_CODE,
  { description: 'The code. Compared without regard to case.', example: 'ada' },
  { noControlCharacters: true },
);

export const newAlias = object({ type: aliasType, code: aliasCode });

export const alias = z
  .strictObject({
    id: shownId({ description: 'The alias’ id.', example: 9 }),
    collaboratorId: shownId({ description: 'Whom it leads to.', example: 7 }),
    type: shownText({ description: 'What kind of code it is.', example: 'tracking' }),
    code: shownText({ description: 'The code as it was given.', example: 'ada' }),
    status: shownChoice(ALIAS_STATUSES, { description: 'Only current ones lead to their collaborator.' }),
    createdAt: shownTime({ description: 'Since when.' }),
    retiredAt: shownTime({ description: 'When it was retired, or taken over by another collaborator.' }).nullable(),
  })
  .meta({ id: 'Alias', description: 'A code that leads to a collaborator, written `<type>:<code>` in reports.' });

const ofCollaborator = { id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) };

export const listAliases = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/aliases',
  tag,
  summary: 'List a collaborator’s aliases',
  description: 'The current ones; with `status=retired` those of the past.',
  scope: 'resources:read',
  keys: ['secret'],
  params: z.object(ofCollaborator),
  query: listQuery(['id', 'code', 'createdAt'], {
    type: aliasType,
    code: aliasCode,
    status: choice(ALIAS_STATUSES, { description: 'Aliases in this state. Without it, the current ones.' }),
    search: searchFilter('the code'),
  }),
  mayLag: true,
  success: listSuccess(alias, 'Aliases.'),
  problems: ['not-found', 'invalid-request'],
});

export const createAlias = operation({
  method: 'POST',
  path: '/v1/collaborators/{id}/aliases',
  tag,
  summary: 'Give a collaborator an alias',
  description:
    'From now on the code leads to this collaborator, also where another had it; the history keeps the other. Earlier ' +
    'codes of the collaborator keep leading to it. A code that it has already is answered as it is.',
  scope: 'resources:write',
  keys: ['secret'],
  params: z.object(ofCollaborator),
  body: newAlias,
  success: { status: 201, description: 'The alias.', body: alias },
  problems: ['not-found', 'invalid-transition'],
});

export const retireAlias = operation({
  method: 'DELETE',
  path: '/v1/collaborators/{id}/aliases/{aliasId}',
  tag,
  summary: 'Retire an alias',
  description: 'The code leads nowhere from now on. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  params: z.object({ ...ofCollaborator, aliasId: id<AliasId>({ description: 'The alias’ id.', example: 9 }) }),
  success: {
    status: 200,
    description: 'The alias as it is now.',
    body: alias,
    example: { status: 'retired', retiredAt: '2026-12-01T08:00:00.000Z' },
  },
  problems: ['not-found'],
});
