import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { addDays, getPageZone, type Period } from '../formats/time.ts';
import { customPeriod as words } from './custom-period-texts.ts';
import { texts } from '../shell/texts.ts';
import styles from './period-picker.module.css';
import { TextField } from '../form/text-field.tsx';

type CustomPeriodProps = {
  readonly value: Period;
  readonly onChange: (period: Period) => void;
  readonly maxDays: number;
};

/** Selects the first and the last day of a period. */
export function CustomPeriod({ value, onChange, maxDays }: CustomPeriodProps) {
  const [from, setFrom] = useState(value.from);
  const [last, setLast] = useState(addDays(value.until, -1));
  const complete = from !== '' && last !== '';
  const backwards = complete && from > last;
  // Compare dates, because counting the days up to a mistyped year would take long.
  const tooLong = complete && !backwards && addDays(from, maxDays) <= last;
  return (
    <>
      <div className={styles.days}>
        <TextField label={words.from} type="date" value={from} onChange={setFrom} />
        <TextField
          label={words.to}
          type="date"
          value={last}
          onChange={setLast}
          error={backwards ? words.backwards : tooLong ? words.tooLong(maxDays) : undefined}
        />
      </div>
      <div className={styles.foot}>
        <span className={styles.hint}>{texts.period.zone(getPageZone())}</span>
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
