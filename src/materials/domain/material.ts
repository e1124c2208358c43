import type { MaterialId, ProgramId } from '#core/ids.ts';
import type { FileFacts } from './material-file.ts';

export const MATERIAL_KINDS = ['file', 'text', 'link'] as const;
export type MaterialKind = (typeof MATERIAL_KINDS)[number];

export const MATERIAL_STATUSES = ['active', 'archived'] as const;
export type MaterialStatus = (typeof MATERIAL_STATUSES)[number];

/** The maximum number of materials of an organization, including archived materials. */
export const MAX_MATERIALS = 500;
export const MAX_TITLE = 150;
export const MAX_LICENSE_NOTE = 500;
export const MAX_MATERIAL_TEXT = 5_000;

/** The part of a text that the portal replaces with the link of the partner. */
export const LINK_PLACEHOLDER = '{link}';
/** The maximum number of placeholders in a text. A link can have 2,048 characters, so the filled text can be longer. */
export const MAX_PLACEHOLDERS = 10;

/** A stored file, without its content. */
export type MaterialFile = FileFacts & { readonly key: string; readonly name: string; readonly bytes: number };

/** The fields of a material that can be changed. */
export type MaterialFields = {
  readonly title: string;
  /** The program whose partners see the material. Null for all partners. */
  readonly programId: ProgramId | null;
  readonly licenseNote: string | null;
  /** The page that the partner's link opens. Null for the landing page. */
  readonly pageUrl: string | null;
  /** The text of a material of the kind `text`. Null for all other kinds. */
  readonly text: string | null;
  readonly status: MaterialStatus;
};

export type Material = MaterialFields & {
  readonly id: MaterialId;
  readonly kind: MaterialKind;
  readonly file: MaterialFile | null;
  readonly author: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Returns the kind of a new material. Returns undefined if it has no content, or both a file and a text. */
export function kindOf(given: {
  readonly hasFile: boolean;
  readonly hasText: boolean;
  readonly hasPage: boolean;
}): MaterialKind | undefined {
  if (given.hasFile && given.hasText) return undefined;
  if (given.hasFile) return 'file';
  if (given.hasText) return 'text';
  return given.hasPage ? 'link' : undefined;
}

/**
 * Returns the field of a changed material that its kind doesn't allow or that is missing, with the reason. Returns
 * undefined if there is no such field.
 */
export function faultOfFields(
  kind: MaterialKind,
  { text, pageUrl }: Pick<MaterialFields, 'text' | 'pageUrl'>,
): { readonly field: 'text' | 'pageUrl'; readonly detail: string } | undefined {
  if (kind !== 'text' && text !== null)
    return {
      field: 'text',
      detail: `A material of the kind ${kind} can’t have a text. Create a text material instead.`,
    };
  if (kind === 'link' && pageUrl === null)
    return { field: 'pageUrl', detail: 'A link material needs a page. Send another page, or archive the material.' };
  return undefined;
}

/** Returns whether a text has more than MAX_PLACEHOLDERS placeholders. */
export function hasTooManyPlaceholders(text: string): boolean {
  return text.split(LINK_PLACEHOLDER).length - 1 > MAX_PLACEHOLDERS;
}

/** Returns the text with the link of a partner in each placeholder. Without a link, the placeholders stay. */
export function fillText(text: string, link: string | null): string {
  return link === null ? text : text.replaceAll(LINK_PLACEHOLDER, () => link);
}
