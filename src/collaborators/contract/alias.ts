import { ALIAS_TYPE_PATTERN, MAX_ALIAS_CODE } from '../domain/alias.ts';
import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Collaborators');
const ALIAS_STATUSES = ['current', 'retired'] as const;

const aliasType = text(
  1,
  64,
  { description: '`tracking` for links, `coupon` for codes, or your own type.', example: 'tracking' },
  {
    pattern: ALIAS_TYPE_PATTERN,
    mismatch: 'This must have only lower-case letters, digits, - and _, and begin with a letter, such as coupon.',
  },
);
const aliasCode = text(
  1,
  MAX_ALIAS_CODE,
  { description: 'The code. Case is ignored.', example: 'ada' },
  { noControlCharacters: true },
);

const externalId = text(
  1,
  MAX_ALIAS_CODE,
  {
    description:
      'The id of the code in your shop or billing system, such as the id of a Stripe promotion code. Reports can contain ' +
      'it instead of the code.',
    example: 'promo_1MiM6KLkdIwHu7ixrIaX4wgn',
  },
  { noControlCharacters: true },
);

export const newAlias = object({ type: aliasType, code: aliasCode, externalId: optional(externalId) });

export const alias = z
  .strictObject({
    id: shownId({ description: 'The alias’s id.', example: 9 }),
    collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
    type: shownText({ description: 'The type of the code.', example: 'tracking' }),
    code: shownText({ description: 'The code as it was created.', example: 'ada' }),
    externalId: shownText({ description: 'The id of the code in the shop or billing system.' }).nullable(),
    pageUrl: shownText({
      description: 'The page that the link opens. Null: the landing page of the portal.',
    }).nullable(),
    status: shownChoice(ALIAS_STATUSES, { description: 'Only current aliases resolve to their collaborator.' }),
    createdAt: shownTime({ description: 'When it was created.' }),
    retiredAt: shownTime({ description: 'When it was retired, or moved to another collaborator.' }).nullable(),
  })
  .meta({ id: 'Alias', description: 'A code that resolves to a collaborator. Reports write it as `<type>:<code>`.' });

const ofCollaborator = { id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) };

export const listAliases = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/aliases',
  summary: 'List a collaborator’s aliases',
  description: 'Lists a collaborator’s current aliases. `status=retired` lists retired aliases.',
  scope: 'resources:read',
  params: z.object(ofCollaborator),
  query: listQuery(['id', 'code', 'createdAt'], {
    type: aliasType,
    code: aliasCode,
    status: choice(ALIAS_STATUSES, { description: 'Aliases with this status. The default is current.' }),
    search: searchFilter('the code'),
  }),
  mayLag: true,
  success: listSuccess(alias, 'Aliases.'),
});

export const createAlias = operation({
  method: 'POST',
  path: '/v1/collaborators/{id}/aliases',
  summary: 'Add an alias to a collaborator',
  description:
    'Assigns a code to the collaborator. Their earlier codes stay valid. If they already have the code, the ' +
    'existing alias is returned, with the `externalId` of this request if there is one. If another collaborator ' +
    'has the code or the external id, the response is a 409. Its `taken` contains the alias and the alias’s ' +
    'owner, and `POST /v1/aliases/{id}/move` moves the alias. A retired code can be assigned to any ' +
    'collaborator.',
  scope: 'resources:write',
  params: z.object(ofCollaborator),
  body: newAlias,
  success: { status: 201, description: 'The alias.', body: alias },
  problems: ['invalid-transition', 'alias-taken'],
});

export const retireAlias = operation({
  method: 'DELETE',
  path: '/v1/collaborators/{id}/aliases/{aliasId}',
  summary: 'Retire an alias',
  description: 'Retires an alias, so that its code is no longer valid. Repeating the call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params: z.object({ ...ofCollaborator, aliasId: id<AliasId>({ description: 'The alias’s id.', example: 9 }) }),
  success: {
    description: 'The retired alias.',
    body: alias,
    example: { status: 'retired', retiredAt: '2026-12-01T08:00:00.000Z' },
  },
});

export const moveAlias = operation({
  method: 'POST',
  path: '/v1/aliases/{id}/move',
  summary: 'Move an alias to another collaborator',
  description:
    'Moves a code to another collaborator. Earlier visits and conversions stay with the old owner. The old owner’s ' +
    'alias is retired, and the old owner is notified by email. The request names both owners. If the code doesn’t ' +
    'belong to `fromCollaboratorId`, the response is a 409. Repeating a move changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params: z.object({ id: id<AliasId>({ description: 'The current owner’s alias.', example: 9 }) }),
  body: object({
    fromCollaboratorId: id<CollaboratorId>({ description: 'The current owner.', example: 7 }),
    toCollaboratorId: id<CollaboratorId>({ description: 'The new owner.', example: 8 }),
  }),
  success: { description: 'The new owner’s alias.', body: alias, example: { collaboratorId: 8 } },
  problems: ['invalid-transition'],
});
