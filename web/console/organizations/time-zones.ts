import type { Option } from '#web/ui/form/select.tsx';

/** The current names of zones that some browsers list under their former names. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Returns the time zones that this browser knows, and the current time zone. */
export function timeZoneOptions(current: string): Option[] {
  const known = Intl.supportedValuesOf('timeZone').map((name) => RENAMED[name] ?? name);
  const names = new Set(['UTC', current, ...known.filter((name) => name.includes('/'))]);
  return [...names].toSorted().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }));
}
