import { programEditor as texts } from './program-editor-texts.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { type HoldsDraft, signsOf } from './draft.ts';
import styles from './editor.module.css';
import { Section } from './section.tsx';
import type { SectionTermsProps } from './sold-sections.tsx';

/** Edits the fraud signals that put commissions into fraud review. */
export function HoldsSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.holds;
  const { holds } = draft;
  const change = (patch: Partial<HoldsDraft>): void => onChange({ holds: { ...holds, ...patch } });
  const signs = signsOf(holds);
  return (
    <Section
      title={words.title}
      state={signs === 0 ? texts.none : words.summary(signs)}
      fields={['holds']}
      faults={faults}
    >
      <span className={styles.hint}>{words.help}</span>
      <div className={styles.pair}>
        <NumberField
          label={words.visitsFromAddress}
          name="holds.visitsFromAddress"
          suffix={words.anHour}
          min={1}
          optional
          value={holds.visitsFromAddress}
          onChange={(visitsFromAddress) => change({ visitsFromAddress })}
          description={words.visitsFromAddressHelp}
        />
        <NumberField
          label={words.visitsOfCollaborator}
          name="holds.visitsOfCollaborator"
          suffix={words.anHour}
          min={1}
          optional
          value={holds.visitsOfCollaborator}
          onChange={(visitsOfCollaborator) => change({ visitsOfCollaborator })}
          description={words.visitsOfCollaboratorHelp}
        />
      </div>
      <div className={styles.short}>
        <NumberField
          label={words.secondsToSale}
          name="holds.secondsToSale"
          suffix={words.seconds}
          min={1}
          optional
          value={holds.secondsToSale}
          onChange={(secondsToSale) => change({ secondsToSale })}
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
    </Section>
  );
}
