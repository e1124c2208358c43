export const LOGO_TYPES = ['image/png', 'image/svg+xml', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** The maximum size of a decoded logo, in bytes. */
export const MAX_LOGO_BYTES = 65_536;

export type Logo = { readonly type: LogoType; readonly bytes: Buffer };

/** Parses a data: URL in base64. Returns the logo, or the reason why the URL is invalid. */
export function readLogo(url: string): Logo | string {
  const [, type, text] = /^data:(image\/[a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? [];
  const known = LOGO_TYPES.find((each) => each === type);
  if (known === undefined || text === undefined) return 'must be a data: URL with a PNG, SVG or WebP image in base64';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES} bytes`;
  return LOOKS[known](bytes) ? { type: known, bytes } : 'does not match its image type';
}

export function logoUrl({ type, bytes }: Logo): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** Checks of an image's first bytes, by type. A response header prevents browsers from guessing another type. */
const LOOKS: Readonly<Record<LogoType, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, PNG.length).equals(PNG),
  'image/webp': (bytes) => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12)),
  'image/svg+xml': looksLikeSvg,
};

/**
 * Returns whether a file begins like an SVG. In the pattern, an XML comment ends at the first `-->`. If comments could
 * match in several ways, a file full of comments would cause exponential backtracking.
 */
export function looksLikeSvg(bytes: Buffer): boolean {
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/is.test(
    bytes.toString('utf8', 0, MAX_LOGO_BYTES),
  );
}
