/** The longest time that keys are held back, even if the popup never opens, in milliseconds. */
const LONGEST_MS = 3_000;

let held: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Holds back typed keys until an opening popup has the focus, then types them there. A user who types while a list
 * loads loses no letter and triggers no hotkey of the page. Every popup calls it when it opens.
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
  // Let keys pass if a field already has the focus, or if the key is a command and not a character.
  if (isTyping(document.activeElement) || !isTyped(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  held.push(event.key);
}

function isTyped({ key, ctrlKey, metaKey, altKey, isComposing, repeat }: KeyboardEvent): boolean {
  // Space first presses a button. After other letters, it is part of the text.
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
  // Wait for other listeners of the focus event.
  queueMicrotask(() => keys.forEach((key) => type(key, document.activeElement ?? target)));
}

const OPENED = '[role=dialog], [role=alertdialog], [role=listbox], [role=menu]';

function type(key: string, into: Element): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  // Only this call inserts text at the cursor so that the field and its listeners treat it as typed.
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
