/** The colours that an accent gives the pages, each `#rrggbb`; every one is readable where it is used (WCAG 2.2 AA). */
export type AccentColours = {
  /** Filled buttons and bars, with `on` written on it. */
  readonly fill: string;
  readonly fillHover: string;
  readonly on: string;
  /** Links and icons on the light page's grounds, and on the dark page's. */
  readonly textLight: string;
  readonly textDark: string;
};

/**
 * The colours that follow from a brand's accent. A pale brand is kept as the fill with dark letters on it; as a text it is darkened, or
 * lightened on dark grounds, until it has 4.5 : 1. Undefined for what is not `#rrggbb`.
 */
export function accentColours(accent: string): AccentColours | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return undefined;
  const on = contrast(accent, WHITE) >= READABLE ? WHITE : INK;
  const fill = until(accent, on === WHITE ? '#000000' : WHITE, (colour) => contrast(colour, on) >= READABLE);
  return {
    fill,
    fillHover: mixed(fill, on === WHITE ? '#000000' : WHITE, 0.12),
    on,
    textLight: until(accent, '#000000', (colour) => contrast(colour, DARKEST_LIGHT_GROUND) >= READABLE),
    textDark: until(accent, WHITE, (colour) => contrast(colour, LIGHTEST_DARK_GROUND) >= READABLE),
  };
}

const READABLE = 4.5;
const WHITE = '#ffffff';
const INK = '#16171b';
/** The grounds of tokens.css on which coloured text is hardest to read: the soft ground of the accent among them. */
const DARKEST_LIGHT_GROUND = '#e9eaf0';
const LIGHTEST_DARK_GROUND = '#2a2c33';
const STEP = 0.04;

function until(colour: string, towards: string, readable: (colour: string) => boolean): string {
  for (let part = 0; part < 1; part += STEP) {
    const candidate = mixed(colour, towards, part);
    if (readable(candidate)) return candidate;
  }
  return towards;
}

function mixed(colour: string, other: string, part: number): string {
  const [a, b] = [channels(colour), channels(other)];
  return `#${a.map((value, at) => hex(value + ((b[at] ?? 0) - value) * part)).join('')}`;
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** As WCAG defines it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
