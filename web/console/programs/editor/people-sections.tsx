import { Plus, X } from 'lucide-react';
import { useCollaboratorChoices } from '../../choices.ts';
import { programEditor as texts } from './program-editor-texts.ts';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { type Draft, newKey, type RewardDraft, type StepDraft } from './draft.ts';
import styles from './editor.module.css';
import { RewardFields } from './reward-fields.tsx';
import { Section } from './section.tsx';
import { PERIODS, type SectionTermsProps } from './sold-sections.tsx';

/** Edits the tiers: other rewards for partners who reach a threshold of earnings or commissions in a period. */
export function TiersSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.tiers;
  const { tiers } = draft;
  const state = tiers === null ? texts.none : words.summary(tiers.steps.length, texts.periods[tiers.period]);
  const begin = () => onChange({ tiers: { period: 'month', by: 'sum', steps: [newStep(draft.reward)] } });
  return (
    <Section title={words.title} state={state} fields={['tiers']} faults={faults}>
      <p className={styles.hint}>{words.help}</p>
      {tiers === null ? (
        <Row>
          <Button size="small" icon={Plus} onClick={begin}>
            {words.start}
          </Button>
        </Row>
      ) : (
        <Steps draft={draft} tiers={tiers} onChange={(now) => onChange({ tiers: now })} />
      )}
    </Section>
  );
}

type Tiers = NonNullable<Draft['tiers']>;
type StepsProps = {
  readonly draft: Draft;
  readonly tiers: Tiers;
  readonly onChange: (tiers: Tiers | null) => void;
};

function Steps({ draft, tiers, onChange }: StepsProps) {
  const words = texts.tiers;
  const { steps } = tiers;
  const change = (key: number, patch: Partial<StepDraft>) =>
    onChange({ ...tiers, steps: steps.map((step) => (step.key === key ? { ...step, ...patch } : step)) });
  const field = (step: StepDraft, at: number) =>
    fieldsOf(step, (patch) => change(step.key, patch), `tiers.steps.${at}.`);
  const remove = (key: number) => {
    const left = steps.filter((step) => step.key !== key);
    onChange(left.length === 0 ? null : { ...tiers, steps: left });
  };
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={words.period}
          {...fieldsOf(tiers, (patch) => onChange({ ...tiers, ...patch }), 'tiers.')('period')}
          options={PERIODS}
        />
        <Select
          label={words.by}
          name="tiers.by"
          options={(['sum', 'count'] as const).map((value) => ({ value, label: words.measures[value] }))}
          value={tiers.by}
          onChange={(by) => onChange({ ...tiers, by, steps: steps.map((step) => ({ ...step, from: null })) })}
        />
      </div>
      {steps.map((step, at) => (
        <fieldset key={step.key} className={`${styles.row} ${styles.boxed}`} aria-label={words.step(at + 1)}>
          <div className={styles.rows}>
            <div className={styles.short}>
              {tiers.by === 'sum' ? (
                <MoneyField label={words.from} {...field(step, at)('from')} currency={draft.currency} />
              ) : (
                <NumberField label={words.from} {...field(step, at)('from')} suffix={words.conversions} min={1} />
              )}
            </div>
            <RewardFields label={words.reward} {...field(step, at)('reward')} currency={draft.currency} />
          </div>
          <IconButton icon={X} label={words.remove(at + 1)} onClick={() => remove(step.key)} />
        </fieldset>
      ))}
      <Row>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange({ ...tiers, steps: [...steps, newStep(steps.at(-1)?.reward ?? draft.reward)] })}
        >
          {words.add}
        </Button>
        <Button size="small" variant="ghost" onClick={() => onChange(null)}>
          {words.stop}
        </Button>
      </Row>
    </>
  );
}

function newStep(reward: RewardDraft): StepDraft {
  return { key: newKey(), from: null, reward };
}

/** Edits the custom rates of partners, which take precedence over the program's reward. */
export function CustomRatesSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.own;
  const choices = useCollaboratorChoices();
  const { customRates } = draft;
  const change = (key: number, patch: Partial<(typeof customRates)[number]>) =>
    onChange({ customRates: customRates.map((own) => (own.key === key ? { ...own, ...patch } : own)) });
  const field = (own: (typeof customRates)[number], at: number) =>
    fieldsOf(own, (patch) => change(own.key, patch), `collaboratorRewards.${at}.`);
  const add = () =>
    onChange({ customRates: [...customRates, { key: newKey(), collaboratorId: null, reward: draft.reward }] });
  return (
    <Section
      title={words.title}
      state={customRates.length === 0 ? texts.none : words.summary(customRates.length)}
      fields={['collaboratorRewards']}
      faults={faults}
    >
      <p className={styles.hint}>{words.help}</p>
      {customRates.map((own, at) => (
        <fieldset key={own.key} className={`${styles.row} ${styles.boxed}`} aria-label={words.row(at + 1)}>
          <div className={styles.rows}>
            <Combobox label={words.collaborator} {...field(own, at)('collaboratorId')} {...choices} />
            <RewardFields {...field(own, at)('reward')} currency={draft.currency} />
          </div>
          <IconButton
            icon={X}
            label={words.remove(at + 1)}
            onClick={() => onChange({ customRates: customRates.filter(({ key }) => key !== own.key) })}
          />
        </fieldset>
      ))}
      <Row>
        <Button size="small" icon={Plus} onClick={add}>
          {words.add}
        </Button>
      </Row>
    </Section>
  );
}
