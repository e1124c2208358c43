import { z } from 'zod';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { MATERIAL_KINDS } from '../domain/material.ts';
import { materialFile } from './material.ts';

const portalMaterial = z
  .strictObject({
    id: shownId({ description: 'The material’s id.', example: 7 }),
    kind: shownChoice(MATERIAL_KINDS, {
      description: '`file`: an image or a PDF. `text`: a text to copy. `link`: a link to a page of the shop.',
    }),
    title: shownText({ description: 'The title.', example: 'Summer banner' }),
    programName: shownText({ description: 'The name of the program of the material. Null: for all collaborators.' })
      .nullable()
      .meta({ examples: ['Friends'] }),
    licenseNote: shownText({ description: 'How you may use the material.' })
      .nullable()
      .meta({ examples: ['Use it unchanged until August 31.'] }),
    link: shownText({
      description: 'Your link to use with the material. Null if you have no link yet.',
    })
      .nullable()
      .meta({ examples: ['https://shop.example/summer?ref=ada'] }),
    text: shownText({ description: 'The text with your link. Without a link, it contains `{link}` instead.' })
      .nullable()
      .meta({ examples: ['Ada’s mugs are 20% off: https://shop.example/summer?ref=ada'] }),
    file: materialFile.meta({ description: 'The file of a material of the kind `file`, otherwise null.' }),
    createdAt: shownTime({ description: 'When it was created.' }),
  })
  .meta({ id: 'PortalMaterial', description: 'A file, a text or a link with which a collaborator advertises.' });

export const listPortalMaterials = operation({
  method: 'GET',
  path: '/v1/portal/materials',
  tag: 'Portal pages',
  summary: 'List materials',
  description:
    'Lists the merchant’s materials for all collaborators and for your programs, newest first. The list is empty while ' +
    'your account is pending.',
  scope: 'portal',
  isPaced: true,
  query: listQuery(['id'], {}),
  success: listSuccess(portalMaterial, 'Materials.'),
});
