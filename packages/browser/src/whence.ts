import { along } from './along.ts';
import { attempt } from './attempt.ts';
import { keeping, keepingInTab } from './keeping.ts';
import { landings } from './landings.ts';
import { isFreshLoad, onceSeen, onReturn } from './navigation.ts';
import { DEFAULTS, type Settings, type WhenceOptions } from './options.ts';
import { reportVisit } from './report.ts';

export type { WhenceOptions } from './options.ts';

export type Whence = {
  /** The number of the visitor’s opportunity, once there is one: the sale’s `trackingId`. */
  readonly id: () => string | undefined;
  /** The same, as soon as the visit was answered or its first attempt has failed: within ten seconds. */
  readonly ready: Promise<string | undefined>;
  /** The visitor consents: what has waited is sent. Settles as `ready` does. */
  readonly grant: () => Promise<string | undefined>;
  /** The visitor refuses: what is stored is deleted, and nothing more is sent. */
  readonly withdraw: () => void;
  /** Deletes the number. The next visit begins a new one. */
  readonly forget: () => void;
  /** The link, taking the number along. */
  readonly decorate: (link: string) => string;
};

let started: Whence | undefined;

/**
 * Begins: reports the visit when the address of the page has a collaborator’s code. There is one for each page: a second
 * call answers the first. It never throws; where there is no page, on a server, it does nothing.
 */
export function createWhence(options: WhenceOptions): Whence {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return (started ??= start({ ...DEFAULTS, ...(Object.fromEntries(given) as WhenceOptions) }));
}

/** After 1, 2, 4 … seconds, and as much again at random, so that not all pages come back at once. */
const RETRIES = 6;

function start(settings: Settings): Whence {
  const kept = keeping(settings);
  const seen = landings(keepingInTab(settings));
  const isRequired = settings.consent === 'required';
  const { decorate, fill, listen } = along(settings, id);
  let sending: Promise<void> | undefined;
  let failures = 0;
  /** Rises with each deletion, so that an answer on its way does not bring back what was deleted. */
  let era = 0;

  function isAllowed(): boolean {
    return !isRefusedBySignal(settings) && (kept.read('consent') ?? (isRequired ? 'no' : 'yes')) === 'yes';
  }

  function id(): string | undefined {
    return isAllowed() ? /^\d+$/.exec(kept.read('oid') ?? '')?.[0] : undefined;
  }

  function look(isFresh: boolean): void {
    attempt(() => seen.notice(new URLSearchParams(location.search).get(settings.param), isFresh));
    fill();
    void flush();
  }

  function flush(): Promise<string | undefined> {
    sending ??= send()
      .catch(() => {})
      .finally(() => (sending = undefined));
    return sending.then(id);
  }

  /** One after the other: the second continues the number of the first. */
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
        if (number) kept.write('oid', number);
        // Where a proxy has set it with the answer.
      } else kept.write('oid');
      fill();
    }
  }

  function clear(isStillKnown = false): void {
    era++;
    kept.write('oid');
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
      // A signal of the browser stands above it.
      if (!isRefusedBySignal(settings)) kept.write('consent', isRequired ? 'yes' : undefined);
      look(false);
      return flush();
    },
    withdraw: () => {
      clear();
      kept.write('consent', isRequired ? undefined : 'no');
    },
    forget: () => clear(true),
    decorate,
  };
}

/** Global Privacy Control, Do Not Track. */
function isRefusedBySignal({ signals }: Settings): boolean {
  const { globalPrivacyControl, doNotTrack } = (globalThis.navigator ?? {}) as Navigator & {
    readonly globalPrivacyControl?: boolean;
    readonly doNotTrack?: string | null;
  };
  return signals === 'respect' && (globalPrivacyControl === true || doNotTrack === '1');
}
