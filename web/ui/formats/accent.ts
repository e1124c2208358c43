/** The colors derived from an accent, each `#rrggbb`. Every color is readable where it is used (WCAG 2.2 AA). */
export type AccentColors = {
  /** The color of filled buttons and bars. Text on it has the color `on`. */
  readonly fill: string;
  readonly fillHover: string;
  readonly on: string;
  /** The color of links and icons in the light theme and in the dark theme. */
  readonly textLight: string;
  readonly textDark: string;
};

/**
 * Returns the colors derived from a brand's accent, or undefined if the accent is not `#rrggbb`.
 *
 * A pale accent remains the fill color, with dark text on it. As a text color, the accent is darkened on light
 * backgrounds and lightened on dark backgrounds until the contrast is at least 4.5:1.
 */
export function accentColors(accent: string): AccentColors | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return undefined;
  const on = contrast(accent, WHITE) >= READABLE ? WHITE : INK;
  const fill = until(accent, on === WHITE ? '#000000' : WHITE, (color) => contrast(color, on) >= READABLE);
  return {
    fill,
    fillHover: mixed(fill, on === WHITE ? '#000000' : WHITE, 0.12),
    on,
    textLight: until(accent, '#000000', (color) => contrast(color, DARKEST_LIGHT_GROUND) >= READABLE),
    textDark: until(accent, WHITE, (color) => contrast(color, LIGHTEST_DARK_GROUND) >= READABLE),
  };
}

const READABLE = 4.5;
const WHITE = '#ffffff';
const INK = '#16171b';
/**
 * The backgrounds in tokens.css on which colored text has the least contrast, including the soft background of the
 * accent.
 */
const DARKEST_LIGHT_GROUND = '#e9eaf0';
const LIGHTEST_DARK_GROUND = '#2a2c33';
const STEP = 0.04;

function until(color: string, toward: string, readable: (color: string) => boolean): string {
  for (let part = 0; part < 1; part += STEP) {
    const candidate = mixed(color, toward, part);
    if (readable(candidate)) return candidate;
  }
  return toward;
}

function mixed(color: string, other: string, part: number): string {
  const [a, b] = [channels(color), channels(other)];
  return `#${a.map((value, at) => hex(value + ((b[at] ?? 0) - value) * part)).join('')}`;
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Returns the contrast ratio as WCAG defines it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
