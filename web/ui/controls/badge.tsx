import {
  Ban,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Clock,
  Flag,
  type LucideIcon,
  RotateCcw,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';
import { statusWords } from '../shell/texts.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent';

export type BadgeProps = {
  readonly tone?: Tone | undefined;
  readonly icon?: LucideIcon | undefined;
  readonly children: ReactNode;
};

/** Shows a category in a word or two. The text states the category, so no information is in the color alone. */
export function Badge({ tone = 'neutral', icon: Icon, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone], Icon === undefined && styles.bare)}>
      {Icon && <Icon aria-hidden />}
      <span className={styles.words}>{children}</span>
    </span>
  );
}

export type StatusBadgeProps = {
  /** The status as the API names it: `pending`, `approved`, … */
  readonly status: string;
  /** Replaces the default text of the status. */
  readonly label?: string | undefined;
  /** Replaces the tone, if a status has an unusual meaning. */
  readonly tone?: Tone | undefined;
};

/** Shows the status of a resource with its icon. */
export function StatusBadge({ status, label, tone }: StatusBadgeProps) {
  const look = LOOKS[status] ?? { tone: 'neutral', icon: Circle };
  return (
    <Badge tone={tone ?? look.tone} icon={look.icon}>
      {label ?? statusText(status)}
    </Badge>
  );
}

/**
 * Returns the default text of a status. A status without a text is shown by its API name, with spaces instead of
 * dashes.
 */
export function statusText(status: string): string {
  return statusWords[status] ?? status.replaceAll('-', ' ');
}

type Look = { readonly tone: Tone; readonly icon: LucideIcon };

const good: Look = { tone: 'good', icon: CircleCheck };
const waiting: Look = { tone: 'warn', icon: Clock };
const under: Look = { tone: 'info', icon: CircleDashed };
const ended: Look = { tone: 'neutral', icon: Ban };
const failed: Look = { tone: 'bad', icon: CircleX };

const LOOKS: Readonly<Record<string, Look>> = {
  accepted: good,
  active: good,
  approved: good,
  complete: good,
  current: good,
  delivered: good,
  done: good,
  enrolled: good,
  paid: good,
  processed: good,
  resolved: good,
  valid: good,
  won: good,
  pending: waiting,
  unpaid: waiting,
  open: waiting,
  invited: waiting,
  flagged: { tone: 'bad', icon: Flag },
  draft: under,
  processing: under,
  fulfilled: under,
  merged: under,
  paused: { tone: 'warn', icon: CirclePause },
  waiting: { tone: 'info', icon: Clock },
  'dead-lettered': { tone: 'bad', icon: CircleAlert },
  parked: { tone: 'bad', icon: CircleAlert },
  failed,
  rejected: failed,
  invalid: failed,
  revoked: failed,
  refunded: { tone: 'neutral', icon: RotateCcw },
  cancelled: ended,
  deleted: { tone: 'neutral', icon: Trash2 },
  dismissed: ended,
  expired: ended,
  ignored: ended,
  inactive: ended,
  lost: ended,
  removed: ended,
  retired: ended,
  void: ended,
};
