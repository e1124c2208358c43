import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonLook, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './copy.module.css';
import { VisuallyHidden } from './text.tsx';
import { texts } from '../shell/texts.ts';

export type CopyLineProps = {
  readonly text: string;
  /** Text to show instead of `text`, such as a masked key. */
  readonly shown?: string | undefined;
  /** Whether long text is wrapped instead of scrolled. Default: false. */
  readonly wrap?: boolean | undefined;
};

/** Renders a line to copy: an address, a key or a command. */
export function CopyLine({ text, shown, wrap }: CopyLineProps) {
  return (
    <div className={styles.line}>
      {/* A scrollable box must be focusable for keyboard users. */}
      <code
        className={classNames(styles.text, wrap === true && styles.wrapped)}
        tabIndex={wrap === true ? undefined : 0}
      >
        {shown ?? text}
      </code>
      <CopyButton text={text} />
    </div>
  );
}

export type CodeBlockProps = {
  readonly code: string;
  /** The title: “Node.js”, or a file's name. */
  readonly title: string;
};

/** Renders several lines of code with a button to copy them. */
export function CodeBlock({ code, title }: CodeBlockProps) {
  return (
    <div className={styles.block} role="group" aria-label={title}>
      <div className={styles.head}>
        <span>{title}</span>
        <CopyButton text={code} label />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable box must be focusable */}
      <pre className={styles.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  );
}

/** Renders a short id or code within a text, with a button to copy it. */
export function CopyId({ text, shown }: { readonly text: string; readonly shown?: string | undefined }) {
  return (
    <span className={styles.inline}>
      <code>{shown ?? text}</code>
      <CopyButton text={text} />
    </span>
  );
}

const SHOWN_MS = 2_000;

export type CopyButtonProps = Pick<ButtonLook, 'variant' | 'size' | 'wide'> & {
  readonly text: string;
  /** The label beside the icon. `true` means “Copy”. Without a label, only the icon is shown. */
  readonly label?: boolean | string | undefined;
};

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, variant = 'ghost', size = 'small', wide }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void write(text).then(setCopied);
  const words = copied ? texts.copied : typeof label === 'string' ? label : texts.copy;
  return (
    <>
      {label === true || typeof label === 'string' ? (
        <Button {...{ size, variant, wide }} icon={copied ? Check : Copy} onClick={copy}>
          {words}
        </Button>
      ) : (
        <IconButton {...{ size, variant }} icon={copied ? Check : Copy} label={words} onClick={copy} />
      )}
      <VisuallyHidden role="status">{copied ? texts.copied : ''}</VisuallyHidden>
    </>
  );
}

/**
 * Copies a text to the clipboard, and returns whether that succeeded. Falls back to `execCommand`, because browsers
 * offer the Clipboard API only in secure contexts, and a service in a private network may have no certificate.
 */
async function write(text: string): Promise<boolean> {
  if (isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The user has denied access to the clipboard, so try `execCommand`, which needs no permission.
    }
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  place.append(field);
  const focused = document.activeElement;
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
