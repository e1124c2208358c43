import { attempt } from './attempt.ts';
import type { Settings } from './options.ts';

export type VisitorStore = {
  readonly read: (name: string) => string | undefined;
  /** Stores the value under the given name. Deletes the stored value if `value` is undefined. */
  readonly write: (name: string, value?: string) => void;
};

type Place = { readonly read: VisitorStore['read']; readonly write: VisitorStore['write'] };

/**
 * Returns the store for the tracking id and the consent, in the place that `storage` names. Uses memory if the browser
 * refuses that place.
 */
export function openStore({ storage, days, domain, prefix }: Settings): VisitorStore {
  if (storage === 'memory') return withMemory(prefix);
  if (storage === 'local') return withMemory(prefix, days > 0 ? dated(days) : inTab);
  return withMemory(prefix, cookies(days, domain, storage === 'server' ? `${prefix}oid` : ''));
}

/** Returns the store for the landings of one tab. */
export function openTabStore({ storage, prefix }: Settings): VisitorStore {
  return withMemory(prefix, storage === 'memory' ? undefined : inTab);
}

function withMemory(prefix: string, place?: Place): VisitorStore {
  const memory: Record<string, string | undefined> = {};
  const read = (name: string): string | undefined => attempt(() => place?.read(prefix + name)) ?? memory[name];
  return {
    read,
    write: (name, value) => {
      memory[name] = undefined;
      attempt(() => place?.write(prefix + name, value));
      // Browsers ignore writes to blocked cookies without an error. In that case, keep the value in memory.
      if (read(name) !== value) memory[name] = value;
    },
  };
}

/**
 * Returns a place that stores values in cookies. `readOnly` is the name of the cookie that only the server sets, or
 * empty. A script must not write that cookie, because Safari deletes cookies set by scripts after seven days.
 */
function cookies(days: number, domain: string | undefined, readOnly: string): Place {
  return {
    read: (name) => `; ${document.cookie}`.split(`; ${name}=`)[1]?.split(';')[0],
    write: (name, value) => {
      if (value && name === readOnly) return;
      const age = value === undefined ? '; Max-Age=0' : days > 0 ? `; Max-Age=${days * 86400}` : '';
      const where = `; Path=/; SameSite=Lax${domain ? `; Domain=${domain}` : ''}`;
      const secure = location.protocol === 'https:' ? '; Secure' : '';
      // Delete any cookie of this name without a domain, which an older setup or the shop's proxy may have set. The
      // browser could return it instead of the new cookie.
      if (domain) document.cookie = `${name}=; Max-Age=0; Path=/`;
      document.cookie = `${name}=${value ?? ''}${age}${where}${secure}`;
    },
  };
}

/**
 * Returns a place that stores values in local storage. Entries of local storage never expire, so each value is prefixed
 * with its expiry time.
 */
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
