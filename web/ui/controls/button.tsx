import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useLinkProps } from './link.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { Tooltip } from '../overlay/tooltip.tsx';
import styles from './button.module.css';

export type ButtonLook = {
  /** `primary`: the page's main action, at most one per page. `danger`: an irreversible action. */
  readonly variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  readonly icon?: LucideIcon | undefined;
  readonly iconEnd?: LucideIcon | undefined;
  /** Whether the button is as wide as its container. Default: false. */
  readonly wide?: boolean | undefined;
  /** The hotkey to display. `useHotkeys` handles it. */
  readonly hotkey?: string | undefined;
};

export type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  ButtonLook & {
    readonly children: ReactNode;
    /** Whether the action is running. The button then keeps its width and focus, and can't be pressed again. */
    readonly busy?: boolean | undefined;
  };

/** Renders a button. It submits a form only if `type` is `submit`. */
export function Button({
  variant,
  size,
  icon,
  iconEnd,
  wide,
  hotkey,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(busy === true ? { 'aria-disabled': true, 'aria-busy': true, onClick: stop } : {})}
      className={classNames(lookOf({ variant, size, wide }), busy && styles.busy, className)}
    >
      <Inside icon={icon} iconEnd={iconEnd} hotkey={hotkey}>
        {children}
      </Inside>
      {busy === true && (
        <span className={styles.spinner}>
          <Spinner />
        </span>
      )}
    </button>
  );
}

export type LinkButtonProps = Omit<ComponentProps<'a'>, 'children' | 'href'> &
  ButtonLook & {
    readonly children: ReactNode;
    /** A path of the application, or an external address. */
    readonly href: string;
  };

/** Renders a link that looks like a button. It navigates and changes nothing. */
export function LinkButton({
  href,
  variant,
  size,
  icon,
  iconEnd,
  wide,
  hotkey,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <a {...useLinkProps(href, rest)} className={classNames(lookOf({ variant, size, wide }), className)}>
      <Inside icon={icon} iconEnd={iconEnd} hotkey={hotkey}>
        {children}
      </Inside>
    </a>
  );
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  Pick<ButtonLook, 'variant' | 'size'> & {
    readonly icon: LucideIcon;
    /** The accessible name and the tooltip. */
    readonly label: string;
    /** Whether to show the label as a tooltip. Pass false if it is already visible beside the button. Default: true. */
    readonly tooltip?: boolean | undefined;
    readonly busy?: boolean | undefined;
  };

/** Renders a button with only an icon, named by `label`. */
export function IconButton({
  icon: Icon,
  label,
  variant = 'ghost',
  size,
  tooltip = true,
  busy,
  className,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      {...rest}
      {...(busy === true ? { 'aria-disabled': true, 'aria-busy': true, onClick: stop } : {})}
      className={classNames(lookOf({ variant, size }), styles.square, className)}
    >
      {busy === true ? <Spinner /> : <Icon aria-hidden />}
    </button>
  );
  return tooltip ? <Tooltip content={label}>{button}</Tooltip> : button;
}

type InsideProps = Pick<ButtonLook, 'icon' | 'iconEnd' | 'hotkey'> & { readonly children: ReactNode };

function Inside({ icon: Icon, iconEnd: IconEnd, hotkey, children }: InsideProps) {
  return (
    <span className={styles.content}>
      {Icon && <Icon aria-hidden />}
      <span className={styles.label}>{children}</span>
      {IconEnd && <IconEnd aria-hidden />}
      {hotkey !== undefined && (
        <span className={styles.hotkey} aria-hidden>
          {hotkey}
        </span>
      )}
    </span>
  );
}

function lookOf({
  variant = 'secondary',
  size = 'medium',
  wide,
}: Pick<ButtonLook, 'variant' | 'size' | 'wide'>): string {
  return classNames(styles.button, styles[variant], size !== 'medium' && styles[size], wide && styles.wide);
}

function stop(event: { preventDefault: () => void }) {
  event.preventDefault();
}
