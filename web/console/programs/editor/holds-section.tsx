import { programEditor as texts } from './program-editor-texts.ts';
import { useState } from 'react';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { Checkbox, CheckboxGroup } from '#web/ui/form/checkbox.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { type HoldsDraft, countSignals } from './draft.ts';
import styles from './editor.module.css';
import { Section } from './section.tsx';
import type { SectionTermsProps } from './sold-sections.tsx';

const BUYER_DETAILS = ['email', 'name', 'card', 'address'] as const;

const RATES = ['minConversionRate', 'maxConversionRate', 'maxRefundRate'] as const;

/** Edits the limits of the fraud signals. */
export function HoldsSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.holds;
  const { holds } = draft;
  const change = (patch: Partial<HoldsDraft>): void => onChange({ holds: { ...holds, ...patch } });
  const field = fieldsOf(holds, change, 'holds.');
  const [hosts, setHosts] = useState(holds.adReferrers.join(' '));
  const signals = countSignals(holds);
  return (
    <Section
      title={words.title}
      state={signals === 0 ? texts.none : words.summary(signals)}
      fields={['holds']}
      faults={faults}
    >
      <span className={styles.hint}>{words.help}</span>
      <div className={styles.pair}>
        <NumberField
          label={words.visitsFromAddress}
          {...field('visitsFromAddress')}
          suffix={words.anHour}
          min={1}
          optional
          description={words.visitsFromAddressHelp}
        />
        <NumberField
          label={words.visitsOfCollaborator}
          {...field('visitsOfCollaborator')}
          suffix={words.anHour}
          min={1}
          optional
          description={words.visitsOfCollaboratorHelp}
        />
      </div>
      <div className={styles.short}>
        <NumberField
          label={words.secondsToSale}
          {...field('secondsToSale')}
          suffix={words.seconds}
          min={1}
          optional
          description={words.secondsToSaleHelp}
        />
      </div>
      <Checkbox
        label={words.ownCoupon}
        name="holds.ownCoupon"
        description={words.ownCouponHelp}
        checked={holds.ownCoupon}
        onChange={(ownCoupon) => change({ ownCoupon })}
      />
      <TextField
        label={words.adReferrers}
        name="holds.adReferrers"
        description={words.adReferrersHelp}
        optional
        value={hosts}
        onChange={(text) => {
          setHosts(text);
          change({ adReferrers: text.split(/[\s,]+/).filter((host) => host !== '') });
        }}
      />
      <div className={styles.pair}>
        {RATES.map((rate) => (
          <NumberField
            key={rate}
            label={words[rate]}
            {...field(rate)}
            suffix="%"
            min={0}
            max={100}
            decimals={2}
            optional
            description={words[`${rate}Help`]}
          />
        ))}
      </div>
      <CheckboxGroup
        label={words.buyerDetails}
        {...field('buyerDetails')}
        description={words.buyerDetailsHelp}
        options={BUYER_DETAILS.map((value) => ({ value, label: words.details[value] }))}
      />
    </Section>
  );
}
