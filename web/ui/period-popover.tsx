import { Popover } from '@base-ui/react/popover';
import { Check } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { addDays, type Period } from './formats/time.ts';
import { type PeriodPreset, samePeriod } from './period-picker.tsx';
import styles from './period-picker.module.css';
import popup from './popup.module.css';
import { TextField } from './text-field.tsx';
import { texts } from './texts.ts';

export type PeriodPopoverProps = {
  readonly trigger: ReactElement;
  readonly presets: readonly PeriodPreset[];
  readonly value: Period;
  readonly onChange: (period: Period) => void;
  readonly maxDays: number;
};

/** Shows the periods to choose from, and two fields for a custom period. It is open initially. */
export function PeriodPopover({ trigger, presets, value, onChange, maxDays }: PeriodPopoverProps) {
  const [open, setOpen] = useState(true);
  const choose = (period: Period) => {
    onChange(period);
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={(now) => setOpen(now)}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner className={popup.positioner} sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup className={classNames(popup.popup, popup.panel)} aria-label={texts.period.label}>
            <div className={styles.panel}>
              <div className={styles.presets}>
                {presets.map(({ label, period }) => (
                  <Button
                    key={label}
                    size="small"
                    variant="ghost"
                    icon={samePeriod(period, value) ? Check : undefined}
                    aria-pressed={samePeriod(period, value)}
                    onClick={() => choose(period)}
                  >
                    {label}
                  </Button>
                ))}
              </div>
              <Custom key={`${value.from} ${value.until}`} value={value} onChange={choose} maxDays={maxDays} />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type CustomProps = { readonly value: Period; readonly onChange: (period: Period) => void; readonly maxDays: number };

function Custom({ value, onChange, maxDays }: CustomProps) {
  const [from, setFrom] = useState(value.from);
  const [last, setLast] = useState(addDays(value.until, -1));
  const complete = from !== '' && last !== '';
  const backwards = complete && from > last;
  // Compare dates, because counting the days up to a mistyped year would take long.
  const tooLong = complete && !backwards && addDays(from, maxDays) <= last;
  return (
    <>
      <div className={styles.days}>
        <TextField label={texts.period.from} type="date" value={from} onChange={setFrom} />
        <TextField
          label={texts.period.to}
          type="date"
          value={last}
          onChange={setLast}
          error={backwards ? texts.period.backwards : tooLong ? texts.period.tooLong(maxDays) : undefined}
        />
      </div>
      <div className={styles.foot}>
        <span className={styles.hint}>{texts.period.utc}</span>
        <Button
          size="small"
          variant="primary"
          disabled={!complete || backwards || tooLong}
          onClick={() => onChange({ from, until: addDays(last, 1) })}
        >
          {texts.apply}
        </Button>
      </div>
    </>
  );
}
