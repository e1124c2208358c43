/** What a browser says it is, as people call it. It may say anything: this only helps to tell one's own apart. */
export function browserOf(userAgent: string): {
  readonly browser: string | undefined;
  readonly system: string | undefined;
  readonly isPhone: boolean;
} {
  const named = (names: readonly (readonly [RegExp, string])[]) => names.find(([sign]) => sign.test(userAgent))?.[1];
  return { browser: named(BROWSERS), system: named(SYSTEMS), isPhone: /Mobile|Android|iPhone/.test(userAgent) };
}

/** Each also calls itself by those that come after it. */
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
