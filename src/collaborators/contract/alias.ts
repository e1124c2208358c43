import { ALIAS_TYPE_PATTERN, MAX_ALIAS_CODE } from '../domain/alias.ts';
import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, object, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

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
    retiredAt: shownTime({ description: 'When it was retired, or moved to another collaborator.' }).nullable(),
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
    'From now on the code leads to this collaborator, and their earlier codes still do. If they already have the code, ' +
    'the existing alias is returned. If another collaborator has it, the answer is a 409: `taken` names the alias and its ' +
    'owner, and `POST /v1/aliases/{id}/move` moves it. A retired code can be given to anyone.',
  scope: 'resources:write',
  keys: ['secret'],
  params: z.object(ofCollaborator),
  body: newAlias,
  success: { status: 201, description: 'The alias.', body: alias },
  problems: ['not-found', 'invalid-transition', 'alias-taken'],
});

export const retireAlias = operation({
  method: 'DELETE',
  path: '/v1/collaborators/{id}/aliases/{aliasId}',
  tag,
  summary: 'Retire an alias',
  description: 'The code leads nowhere from now on. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  fresh: true,
  params: z.object({ ...ofCollaborator, aliasId: id<AliasId>({ description: 'The alias’ id.', example: 9 }) }),
  success: {
    status: 200,
    description: 'The alias as it is now.',
    body: alias,
    example: { status: 'retired', retiredAt: '2026-12-01T08:00:00.000Z' },
  },
  problems: ['not-found'],
});

export const moveAlias = operation({
  method: 'POST',
  path: '/v1/aliases/{id}/move',
  tag,
  summary: 'Move an alias to another collaborator',
  description:
    'From now on the code leads to the new owner. Earlier clicks and commissions stay with the old owner. Their alias is ' +
    'retired, and they are notified by email. The request names both owners. If the code does not belong to ' +
    '`fromCollaboratorId`, the answer is a 409. Repeating a move changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  fresh: true,
  params: z.object({ id: id<AliasId>({ description: 'The alias of the present owner.', example: 9 }) }),
  body: object({
    fromCollaboratorId: id<CollaboratorId>({ description: 'The present owner.', example: 7 }),
    toCollaboratorId: id<CollaboratorId>({ description: 'The new owner.', example: 8 }),
  }),
  success: { status: 200, description: 'The alias of the new owner.', body: alias, example: { collaboratorId: 8 } },
  problems: ['not-found', 'invalid-transition'],
});
