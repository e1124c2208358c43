import { z } from 'zod';
import { choice, clearable, field, type Field, id, object, optional, refusal, text } from '#core/contract/fields.ts';
import { NOT_BLANK } from '#core/contract/text.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import { webUrl } from '#core/contract/web-address.ts';
import type { MaterialId, ProgramId } from '#core/ids.ts';
import {
  MATERIAL_KINDS,
  MATERIAL_STATUSES,
  MAX_LICENSE_NOTE,
  MAX_MATERIAL_TEXT,
  MAX_MATERIALS,
  MAX_TITLE,
} from '../domain/material.ts';
import { FILE_NAME_PATTERN, FILE_TYPES, MAX_FILE_BYTES, MAX_FILE_NAME } from '../domain/material-file.ts';

const operation = operationsOf('Portal');
/** The maximum length of a file in base64, in characters. Base64 needs four characters for three bytes. */
const MAX_FILE_TEXT = Math.ceil(MAX_FILE_BYTES / 3) * 4;
/** The maximum size in bytes of a body with a file. */
export const MAX_MATERIAL_BODY_BYTES = 3_145_728;

const TITLE = 'The name of the material. Collaborators see it.';
const PROGRAM =
  'Only collaborators who can earn in this program see the material. Null: all active collaborators see it.';
const LICENSE = 'How collaborators may use the material. They see this note.';
const PAGE =
  'The page of your shop that the collaborator’s link opens. It must be on an allowed site (`linkOrigins` of the portal ' +
  'settings). Null: the landing page.';
const TEXT = 'The text. The portal replaces `{link}` with the link of the collaborator.';
const NAME = 'The name under which browsers save the file, with the extension of its type.';
const KIND =
  '`file`: an image or a PDF. `text`: a text to copy. `link`: a page for which each collaborator gets a link.';
const STATUS = 'Collaborators see only `active` materials, and files of archived materials can’t be downloaded.';

/** The fields of a file in a response. */
const fileFields = {
  name: shownText({ description: NAME, example: 'summer.png' }),
  type: shownChoice(FILE_TYPES, { description: 'The type, read from the content.' }),
  bytes: shownInteger({ description: 'The size in bytes.', example: 48_213 }),
  width: shownInteger({ description: 'The width of an image in pixels. Null for SVG and PDF.' })
    .nullable()
    .meta({ examples: [728] }),
  height: shownInteger({ description: 'The height of an image in pixels. Null for SVG and PDF.' })
    .nullable()
    .meta({ examples: [90] }),
  url: shownText({
    description:
      'The address of the file. It needs no key and no login, because collaborators embed images in their own pages.',
    example: 'https://whence.example.com/materials/9dYkBqkY0r3VfMZ0Jt1cXw',
  }),
};

export const materialFile = z.strictObject(fileFields).nullable();

const material = z
  .strictObject({
    id: shownId({ description: 'The material’s id.', example: 7 }),
    kind: shownChoice(MATERIAL_KINDS, { description: KIND }),
    title: shownText({ description: TITLE, example: 'Summer banner' }),
    programId: shownId({ description: PROGRAM, example: 3 }).nullable(),
    licenseNote: shownText({ description: LICENSE })
      .nullable()
      .meta({ examples: ['Use it unchanged until August 31.'] }),
    pageUrl: shownText({ description: PAGE })
      .nullable()
      .meta({ examples: ['https://shop.example/summer'] }),
    text: shownText({ description: TEXT })
      .nullable()
      .meta({ examples: ['Ada’s mugs are 20% off: {link}'] }),
    file: materialFile.meta({ description: 'The file of a material of the kind `file`, otherwise null.' }),
    status: shownChoice(MATERIAL_STATUSES, { description: STATUS }),
    author: shownText({ description: 'Who created it, as in the audit log.', example: 'person 5' }),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Material', description: 'A file, a text or a link that collaborators use to advertise your shop.' });

const fileContent: Field<Buffer> = field(
  { type: 'string', contentEncoding: 'base64', maxLength: MAX_FILE_TEXT },
  {
    description: `The content in base64, at most ${MAX_FILE_BYTES.toLocaleString('en-US')} bytes.`,
    example: 'iVBORw0KGgo=',
  },
  (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_FILE_TEXT)
      return refusal(
        'too-long',
        `A file can have at most ${MAX_FILE_BYTES.toLocaleString('en-US')} bytes. Send a smaller file.`,
      );
    return BASE64.test(value) && value.length % 4 === 0
      ? Buffer.from(value, 'base64')
      : refusal('invalid-format', 'This must be base64, as in RFC 4648.');
  },
);

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const NO_FILE_NAME = 'This must be a file name without / \\ : * ? " < > |, such as summer.png.';

const title = text(
  1,
  MAX_TITLE,
  { description: TITLE, example: 'Summer banner' },
  { noControlCharacters: true, ...NOT_BLANK },
);
const licenseNote = text(1, MAX_LICENSE_NOTE, { description: LICENSE, example: 'Use it unchanged until August 31.' });
const pageUrl = webUrl({ description: PAGE, example: 'https://shop.example/summer' });
const content = text(1, MAX_MATERIAL_TEXT, { description: TEXT, example: 'Ada’s mugs are 20% off: {link}' }, NOT_BLANK);
const programId = id<ProgramId>({ description: PROGRAM, example: 3 });

const params = z.object({ id: id<MaterialId>({ description: 'The material’s id.', example: 7 }) });

export const listMaterials = operation({
  method: 'GET',
  path: '/v1/materials',
  summary: 'List materials',
  description:
    'Lists the materials for your collaborators that are not archived, newest first. `status=archived` lists archived ' +
    'materials.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    programId: id<ProgramId>({ description: 'Materials with this `programId`.' }),
    kind: choice(MATERIAL_KINDS, { description: 'Materials of this kind.' }),
    status: choice(MATERIAL_STATUSES, { description: 'Materials in this state.' }),
  }),
  success: listSuccess(material, 'Materials.'),
});

export const createMaterial = operation({
  method: 'POST',
  path: '/v1/materials',
  summary: 'Create a material',
  description:
    'Adds a file, a text, or a link to a page to the portal. Send `file`, `text`, or only `pageUrl`. A file is a PNG, ' +
    'JPEG, GIF, WebP, SVG or PDF. Anyone who has the address of a file can download it, so don’t upload confidential ' +
    `files. Limits: ${MAX_MATERIALS} materials, and 100 MiB of files in total.`,
  scope: 'resources:write',
  maxBodyBytes: MAX_MATERIAL_BODY_BYTES,
  example: { title: 'Summer post', text: 'Ada’s mugs are 20% off: {link}', licenseNote: 'Use it until August 31.' },
  body: object({
    title,
    programId: optional(programId),
    licenseNote: optional(licenseNote),
    pageUrl: optional(pageUrl),
    text: optional(content),
    file: object({
      name: text(
        1,
        MAX_FILE_NAME,
        { description: NAME, example: 'summer.png' },
        { pattern: FILE_NAME_PATTERN, mismatch: NO_FILE_NAME },
      ),
      data: fileContent,
    })
      .nullish()
      .transform((value) => value ?? undefined)
      .meta({ description: 'The file.' }),
  }),
  success: { status: 201, description: 'The material.', body: material, example: { kind: 'text', file: null } },
  problems: ['invalid-transition'],
});

export const getMaterial = operation({
  method: 'GET',
  path: '/v1/materials/{id}',
  summary: 'Get a material',
  description: 'Returns a material, even if it is archived. The content of a file is at its `url`.',
  scope: 'resources:read',
  params,
  versioned: true,
  success: { description: 'The material.', body: material },
});

export const changeMaterial = operation({
  method: 'PATCH',
  path: '/v1/materials/{id}',
  reader: getMaterial,
  summary: 'Change a material',
  description:
    'Changes the given fields of a material. Null removes an optional field. To replace a file, create a new material ' +
    'and archive the old one.',
  scope: 'resources:write',
  params,
  versioned: true,
  example: { status: 'archived' },
  body: object({
    title: optional(title),
    programId: clearable(programId),
    licenseNote: clearable(licenseNote),
    pageUrl: clearable(pageUrl),
    text: optional(content),
    status: optional(choice(MATERIAL_STATUSES, { description: STATUS })),
  }),
  success: { description: 'The changed material.', body: material },
});

export const deleteMaterial = operation({
  method: 'DELETE',
  path: '/v1/materials/{id}',
  reader: getMaterial,
  summary: 'Delete a material',
  description:
    'Deletes a material and its file permanently. Pages that embed an image no longer show it. The audit log keeps the ' +
    'fields of the material, but not the file.',
  scope: 'resources:write',
  fresh: true,
  params,
  versioned: true,
  success: { description: 'The material is deleted. No body.' },
});
