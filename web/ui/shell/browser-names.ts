/**
 * Returns the common names of a browser and its system, each undefined if it is unknown. Clients can send any user
 * agent, so use the names only to help users recognize their own sessions.
 */
export function browserOf(userAgent: string): {
  readonly browser: string | undefined;
  readonly system: string | undefined;
  readonly isPhone: boolean;
} {
  const named = (names: readonly (readonly [RegExp, string])[]) => names.find(([sign]) => sign.test(userAgent))?.[1];
  return { browser: named(BROWSERS), system: named(SYSTEMS), isPhone: /Mobile|Android|iPhone/.test(userAgent) };
}

/**
 * The patterns of browsers, in the order in which they are tried. A browser's user agent can also match later patterns.
 */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const;

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;
