import { Calendar } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from './button.tsx';
import { addDays, daysBetween, formatTime, type Period, utcDay } from './formats/time.ts';
import { texts } from './texts.ts';

export type PeriodPickerProps = {
  /** The UTC days as reports use them, with `until` exclusive. */
  readonly value: Period;
  readonly onChange: (period: Period) => void;
  /** The longest period in days. Default: 400. */
  readonly maxDays?: number | undefined;
};

const loadPopover = () => import('./period-popover.tsx').then((module) => ({ default: module.PeriodPopover }));
/** Loaded shortly before a press, because popovers are not part of the initial load. */
const PeriodPopover = lazy(loadPopover);

/** Selects the days of a report. */
export function PeriodPicker({ value, onChange, maxDays = 400 }: PeriodPickerProps) {
  const [isWanted, setWanted] = useState(false);
  const [today] = useState(() => utcDay(Date.now()));
  const presets = periodPresets(today);
  const label = presets.find(({ period }) => samePeriod(period, value))?.label ?? periodText(value);
  const prepare = () => void loadPopover();
  const plain = (
    <Button
      icon={Calendar}
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setWanted(true)}
    >
      {label}
    </Button>
  );
  if (!isWanted) return plain;
  return (
    <Suspense fallback={plain}>
      <PeriodPopover
        trigger={<Button icon={Calendar}>{label}</Button>}
        presets={presets}
        value={value}
        onChange={onChange}
        maxDays={maxDays}
      />
    </Suspense>
  );
}

export type PeriodPreset = { readonly label: string; readonly period: Period };

/** Returns the common periods relative to a UTC day, with the default first. */
export function periodPresets(today: string): PeriodPreset[] {
  const until = addDays(today, 1);
  const month = `${today.slice(0, 7)}-01`;
  const lastMonth = `${addDays(month, -1).slice(0, 7)}-01`;
  return [
    { label: texts.period.last30, period: { from: addDays(until, -30), until } },
    { label: texts.period.last7, period: { from: addDays(until, -7), until } },
    { label: texts.period.last90, period: { from: addDays(until, -90), until } },
    { label: texts.period.thisMonth, period: { from: month, until } },
    { label: texts.period.lastMonth, period: { from: lastMonth, until: month } },
    { label: texts.period.thisYear, period: { from: `${today.slice(0, 4)}-01-01`, until } },
  ];
}

/** Returns a text such as “4 Sep – 3 Oct 2026”. */
export function periodText({ from, until }: Period): string {
  const [first, last] = [from, addDays(until, -1)].map((day) => formatTime(`${day}T00:00:00Z`, 'day'));
  return daysBetween(from, until).length === 1 ? (first ?? '') : `${first} – ${last}`;
}

/** Returns whether two periods have the same days. */
export function samePeriod(one: Period, other: Period): boolean {
  return one.from === other.from && one.until === other.until;
}
