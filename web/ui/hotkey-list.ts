/** A hotkey with its action and its label in the help. Without `label`, the help omits it. */
export type Hotkey = {
  readonly keys: string;
  readonly label?: string | undefined;
  /** Runs the action. Without it, the hotkey is only listed, and the focused element handles it. */
  readonly run?: (() => void) | undefined;
};

export type HotkeyGroup = { readonly group: string; readonly hotkeys: () => readonly Hotkey[] };

export type DescribedGroup = {
  readonly group: string;
  readonly hotkeys: readonly { readonly keys: string; readonly label: string }[];
};

let groups: readonly HotkeyGroup[] = [];
let described: readonly DescribedGroup[] = [];
const listeners = new Set<() => void>();

/** Registers hotkeys until the returned function is called. The latest registration takes precedence. */
export function register(group: HotkeyGroup): () => void {
  change([...groups, group]);
  return () => change(groups.filter((each) => each !== group));
}

function change(to: readonly HotkeyGroup[]) {
  groups = to;
  described = describe(to);
  for (const listener of listeners) listener();
}

export function registered(): readonly Hotkey[] {
  return groups.toReversed().flatMap(({ hotkeys }) => hotkeys());
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the hotkeys for the help. The array stays the same until something changes. */
export function describedGroups(): readonly DescribedGroup[] {
  return described;
}

function describe(all: readonly HotkeyGroup[]): DescribedGroup[] {
  const byGroup = new Map<string, Map<string, string>>();
  for (const { group, hotkeys } of all) {
    const list = byGroup.get(group) ?? new Map<string, string>();
    byGroup.set(group, list);
    for (const { keys, label } of hotkeys()) if (label !== undefined) list.set(keys, label);
  }
  return [...byGroup]
    .map(([group, list]) => ({ group, hotkeys: [...list].map(([keys, label]) => ({ keys, label })) }))
    .filter(({ hotkeys }) => hotkeys.length > 0);
}

/** The time limit for the second key of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_000;

/** The properties of a key press that hotkeys depend on. */
export type Stroke = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly timeStamp: number;
};

/**
 * Returns a function that finds the hotkey completed by a key press. It remembers the previous key for sequences of
 * two. While the user is `typing`, only hotkeys with a modifier count.
 */
export function matcher(): (stroke: Stroke, typing: boolean, hotkeys: readonly Hotkey[]) => Hotkey | undefined {
  let before: { readonly key: string; readonly at: number } | undefined;
  return (stroke, typing, hotkeys) => {
    const usable = hotkeys.filter(({ keys, run }) => run !== undefined && (!typing || keys.includes('mod+')));
    const first = before !== undefined && stroke.timeStamp - before.at <= SEQUENCE_MS ? before.key : undefined;
    before = typing || hasModifier(stroke) ? undefined : { key: stroke.key, at: stroke.timeStamp };
    const inTwo = usable.find(({ keys }) => {
      const [one, two, ...none] = keys.split(' ');
      return one !== undefined && two !== undefined && none.length === 0 && one === first && isStroke(stroke, two);
    });
    return inTwo ?? usable.find(({ keys }) => !keys.includes(' ') && isStroke(stroke, keys));
  };
}

function isStroke(event: Stroke, keys: string): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const mod = parts.includes('mod');
  if (mod !== (event.ctrlKey || event.metaKey) || event.altKey) return false;
  // Characters such as `?` or `/` need Shift on some keyboards only.
  const shift = parts.includes('Shift');
  if (/^[a-z]$/i.test(key) || key.length > 1 ? shift !== event.shiftKey : false) return false;
  return event.key.toLowerCase() === key.toLowerCase();
}

function hasModifier(event: Stroke): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
