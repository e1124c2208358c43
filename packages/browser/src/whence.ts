import { along } from './along.ts';
import { attempt } from './attempt.ts';
import { openStore, openTabStore } from './visitor-store.ts';
import { openLandings } from './landings.ts';
import { isFreshLoad, onceSeen, onReturn } from './navigation.ts';
import { DEFAULTS, type Settings, type WhenceOptions } from './options.ts';
import { reportVisit } from './report.ts';

export type { WhenceOptions } from './options.ts';

export type Whence = {
  /**
   * Returns the tracking id, which is the number of the visitor’s opportunity. Report it as the sale’s `trackingId`.
   * Returns undefined if there is none, if the visitor has refused tracking, or if a required consent is missing.
   */
  readonly id: () => string | undefined;
  /**
   * Resolves with the tracking id once the waiting visits are reported or an attempt has failed. An attempt takes at
   * most ten seconds. Resolves with undefined if there is no tracking id.
   */
  readonly ready: Promise<string | undefined>;
  /** Records the visitor's consent and reports waiting visits. Resolves in the same way as `ready`. */
  readonly grant: () => Promise<string | undefined>;
  /**
   * Ends tracking for this visitor. Deletes the tracking id and the landings, and stops all reports until `grant()`.
   */
  readonly withdraw: () => void;
  /** Deletes the tracking id and discards unreported visits. The next visit starts a new opportunity. */
  readonly forget: () => void;
  /** Returns the link with the tracking id as a parameter. Returns the link unchanged if there is no tracking id. */
  readonly decorate: (link: string) => string;
};

let started: Whence | undefined;

/**
 * Starts the snippet and reports the visit if the page’s address has a referral code. Each page has one instance, and
 * later calls return that instance. Never throws. Does nothing on a server, because a server has no page.
 */
export function createWhence(options: WhenceOptions): Whence {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return (started ??= start({ ...DEFAULTS, ...(Object.fromEntries(given) as WhenceOptions) }));
}

/**
 * The maximum number of retries after failures in a row. Retries wait 1, 2, 4 … seconds plus a random delay of up to
 * the same length, so that pages don’t retry together.
 */
const RETRIES = 6;

/** The link parameter with which a short link passes the key of the visit that it has reported. */
const VISIT = 'whence_visit';

function start(settings: Settings): Whence {
  const store = openStore(settings);
  const seen = openLandings(openTabStore(settings));
  const isRequired = settings.consent === 'required';
  const { decorate, fill, listen } = along(settings, id);
  let sending: Promise<void> | undefined;
  /** The tracking id from the page's address, until `adopt` stores or discards it. */
  let pendingId: string | null | undefined;
  let failures = 0;
  /** Increases whenever stored data is deleted, so that the response to an earlier report doesn't restore the data. */
  let era = 0;

  function isAllowed(): boolean {
    return !isRefusedBySignal(settings) && (store.read('consent') ?? (isRequired ? 'no' : 'yes')) === 'yes';
  }

  function id(): string | undefined {
    return isAllowed() ? /^\d+$/.exec(store.read('oid') ?? '')?.[0] : undefined;
  }

  function look(isFresh: boolean): void {
    attempt(() => {
      const address = new URLSearchParams(location.search);
      if (settings.adopt && isFresh) pendingId = address.get(settings.linkParam);
      seen.notice(address.get(settings.param), isFresh, keyOfShortLink(address));
    });
    adopt();
    fill();
    void flush();
  }

  /**
   * Returns the key of the visit that a short link has reported, or undefined if the address has no such key. Also
   * returns undefined if the visitor has another tracking id, because the visit must continue that opportunity. Removes
   * the key and the tracking id from the address, so that a copied address doesn't contain them.
   */
  function keyOfShortLink(address: URLSearchParams): string | undefined {
    const key = address.get(VISIT);
    if (!key) return undefined;
    const isSame = [undefined, address.get(settings.linkParam)].includes(id());
    const url = new URL(location.href);
    url.searchParams.delete(VISIT);
    url.searchParams.delete(settings.linkParam);
    attempt(() => history.replaceState(history.state, '', url));
    return isSame && /^[\w-]{11}$/.test(key) ? key : undefined;
  }

  /**
   * Stores the tracking id from the page's address, unless a tracking id is already stored. Otherwise a link could
   * replace the tracking id of a visitor whom another collaborator referred.
   */
  function adopt(): void {
    if (!isAllowed()) return;
    if (!id() && /^\d{1,16}$/.test(pendingId ?? '')) store.write('oid', pendingId as string);
    pendingId = undefined;
  }

  function flush(): Promise<string | undefined> {
    sending ??= send()
      .catch(() => {})
      .finally(() => (sending = undefined));
    return sending.then(id);
  }

  /** Sends reports one after another, because each report continues the opportunity of the previous report. */
  async function send(): Promise<void> {
    for (let landing; isAllowed() && (landing = seen.waiting());) {
      seen.keep();
      const sentIn = era;
      const number = await reportVisit(settings, landing, id());
      if (number === undefined) {
        if (failures < RETRIES) setTimeout(flush, 1000 * 2 ** failures++ * (1 + Math.random()));
        return;
      }
      failures = 0;
      seen.reported(landing);
      if (sentIn === era) {
        seen.keep();
        if (number) store.write('oid', number);
        // The tracking id was deleted during the report. A proxy may have set the cookie again with the response, so
        // delete the cookie.
      } else store.write('oid');
      fill();
    }
  }

  function clear(isStillKnown = false): void {
    era++;
    pendingId = undefined;
    store.write('oid');
    seen.forget(isStillKnown);
    fill();
  }

  attempt(() =>
    onceSeen(() => {
      if (!isAllowed()) clear();
      listen();
      look(isFreshLoad());
      onReturn(() => look(false));
    }),
  );

  return {
    id,
    get ready() {
      return sending ? sending.then(id) : Promise.resolve(id());
    },
    grant: () => {
      // A browser signal overrides consent.
      if (!isRefusedBySignal(settings)) store.write('consent', isRequired ? 'yes' : undefined);
      look(false);
      return flush();
    },
    withdraw: () => {
      clear();
      store.write('consent', isRequired ? undefined : 'no');
    },
    forget: () => clear(true),
    decorate,
  };
}

/** Returns whether Global Privacy Control or Do Not Track refuses tracking, if the settings respect these signals. */
function isRefusedBySignal({ signals }: Settings): boolean {
  const { globalPrivacyControl, doNotTrack } = (globalThis.navigator ?? {}) as Navigator & {
    readonly globalPrivacyControl?: boolean;
    readonly doNotTrack?: string | null;
  };
  return signals === 'respect' && (globalPrivacyControl === true || doNotTrack === '1');
}
