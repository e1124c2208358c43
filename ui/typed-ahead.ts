/** Longer than this nobody is left without keys, whatever became of what was to open. */
const LONGEST_MS = 3_000;

let held: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Holds back what is typed from now on until something that opens has the focus, and types it there: who types on while a list to
 * choose from comes loses no letter, and none of them is a hotkey of the page below. Whatever opens calls it.
 */
export function holdTyping(): void {
  if (timer !== undefined) return;
  timer = setTimeout(stop, LONGEST_MS);
  addEventListener('keydown', hold, true);
  addEventListener('focusin', handOver, true);
  addEventListener('pointerdown', stop, true);
}

function hold(event: KeyboardEvent): void {
  if (event.key === 'Escape' || event.key === 'Tab') return stop();
  // Into what has the focus already; or it is a key to do something, and not one to type.
  if (isTyping(document.activeElement) || !isTyped(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  held.push(event.key);
}

function isTyped({ key, ctrlKey, metaKey, altKey, isComposing, repeat }: KeyboardEvent): boolean {
  // A button is pressed by Space; within words it is one of their letters.
  return (
    key.length === 1 && (key !== ' ' || held.length > 0) && !ctrlKey && !metaKey && !altKey && !isComposing && !repeat
  );
}

function isTyping(element: Element | null): boolean {
  return element?.closest('input, textarea, [contenteditable=true]') != null;
}

function handOver({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || target.closest(OPENED) === null) return;
  const keys = held;
  stop();
  // After those who listen for the focus as well.
  queueMicrotask(() => keys.forEach((key) => type(key, document.activeElement ?? target)));
}

const OPENED = '[role=dialog], [role=alertdialog], [role=listbox], [role=menu]';

function type(key: string, into: Element): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  // Nothing else puts text where the cursor is, so that the field and whoever listens take it as typed.
  // oxlint-disable-next-line typescript/no-deprecated
  if (into.dispatchEvent(event) && isTyping(into)) document.execCommand('insertText', false, key);
}

function stop(): void {
  clearTimeout(timer);
  timer = undefined;
  held = [];
  removeEventListener('keydown', hold, true);
  removeEventListener('focusin', handOver, true);
  removeEventListener('pointerdown', stop, true);
}
