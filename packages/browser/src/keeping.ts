import { attempt } from './attempt.ts';
import type { Settings } from './options.ts';

export type Kept = {
  readonly read: (name: string) => string | undefined;
  /** Without a value it is deleted. */
  readonly write: (name: string, value?: string) => void;
};

type Place = { readonly read: Kept['read']; readonly write: Kept['write'] };

/** Where what must outlast the page is kept; in the page’s memory alone, where the browser refuses to. */
export function keeping({ storage, days, domain, prefix }: Settings): Kept {
  if (storage === 'memory') return withMemory(prefix);
  if (storage === 'local') return withMemory(prefix, days > 0 ? dated(days) : inTab);
  return withMemory(prefix, cookies(days, domain, storage === 'server' ? `${prefix}oid` : ''));
}

/** What belongs to one tab: its landings. */
export function keepingInTab({ storage, prefix }: Settings): Kept {
  return withMemory(prefix, storage === 'memory' ? undefined : inTab);
}

function withMemory(prefix: string, place?: Place): Kept {
  const memory: Record<string, string | undefined> = {};
  const read = (name: string): string | undefined => attempt(() => place?.read(prefix + name)) ?? memory[name];
  return {
    read,
    write: (name, value) => {
      memory[name] = undefined;
      attempt(() => place?.write(prefix + name, value));
      // Blocked cookies are refused without a word.
      if (read(name) !== value) memory[name] = value;
    },
  };
}

/** `readOnly` is the name of the one that the server sets: what a script sets, Safari deletes after seven days. */
function cookies(days: number, domain: string | undefined, readOnly: string): Place {
  return {
    read: (name) => `; ${document.cookie}`.split(`; ${name}=`)[1]?.split(';')[0],
    write: (name, value) => {
      if (value && name === readOnly) return;
      const age = value === undefined ? '; Max-Age=0' : days > 0 ? `; Max-Age=${days * 86400}` : '';
      const where = `; Path=/; SameSite=Lax${domain ? `; Domain=${domain}` : ''}`;
      const secure = location.protocol === 'https:' ? '; Secure' : '';
      // One from before the shop named a domain, or of its proxy, would be read in this one’s place.
      if (domain) document.cookie = `${name}=; Max-Age=0; Path=/`;
      document.cookie = `${name}=${value ?? ''}${age}${where}${secure}`;
    },
  };
}

/** Local storage, whose entries know no end of their own: the day is kept in front of them. */
function dated(days: number): Place {
  return {
    read: (name) => {
      const [until, value] = (localStorage.getItem(name) ?? '').split(' ');
      return Number(until) > Date.now() ? value : undefined;
    },
    write: (name, value) => set(localStorage, name, value && `${Date.now() + days * 86_400_000} ${value}`),
  };
}

const inTab: Place = {
  read: (name) => sessionStorage.getItem(name) ?? undefined,
  write: (name, value) => set(sessionStorage, name, value),
};

function set(area: Storage, name: string, value: string | undefined): void {
  if (value === undefined) area.removeItem(name);
  else area.setItem(name, value);
}
