import { Plus, X } from 'lucide-react';
import { programEditor as texts } from './program-editor-texts.ts';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { CheckboxGroup } from '#web/ui/form/checkbox.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import type { ShownFault } from '#web/ui/feedback/problem.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { optionsOf, type TermsProps } from './basics.tsx';
import { type LineType, type MatcherBy, type MatcherDraft, newKey, type Period } from './draft.ts';
import styles from './editor.module.css';
import { RenewalRewards } from './renewal-rewards.tsx';
import { Section } from './section.tsx';

export type SectionTermsProps = TermsProps & { readonly faults: readonly ShownFault[] };

/**
 * Edits the paid events (sales, renewals or leads), the limit and the rewards of renewals, and the number of paid sales
 * per buyer.
 */
export function PaysSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.pays;
  const field = fieldsOf(draft, onChange);
  const isOfLeads = draft.reward.type === 'per-lead';
  const kinds = isOfLeads ? (['lead'] as const) : (['sale', 'renewal'] as const);
  const state = draft.pays.map((kind) => words.options[kind]).join(', ');
  return (
    <Section
      title={words.title}
      state={state}
      fields={['pays', 'renewals', 'renewalRewards', 'creditsPer']}
      faults={faults}
    >
      <CheckboxGroup
        label={words.kinds}
        {...field('pays')}
        description={isOfLeads ? words.leadsOnly : undefined}
        disabled={isOfLeads}
        options={kinds.map((value) => ({ value, label: words.options[value] }))}
      />
      {draft.pays.includes('renewal') && (
        <Stack gap={2}>
          <span className={styles.partTitle}>{words.renewals}</span>
          <span className={styles.hint}>{words.renewalsHelp}</span>
          <div className={styles.pair}>
            <NumberField
              label={words.months}
              name="renewals.months"
              suffix={words.monthsUnit}
              min={1}
              optional
              value={draft.renewalMonths}
              onChange={(renewalMonths) => onChange({ renewalMonths })}
            />
            <NumberField
              label={words.times}
              name="renewals.times"
              suffix={words.timesUnit}
              min={1}
              optional
              value={draft.renewalTimes}
              onChange={(renewalTimes) => onChange({ renewalTimes })}
            />
          </div>
        </Stack>
      )}
      {draft.pays.includes('renewal') && <RenewalRewards draft={draft} onChange={onChange} />}
      <RadioCards label={words.credits} {...field('creditsPer')} options={optionsOf(words.creditOptions)} />
    </Section>
  );
}

const LINES: readonly LineType[] = ['product', 'shipping', 'tax', 'fee', 'discount'];

/** Edits the counted lines of a sale, the filters for lines, and the minimum order. */
export function LinesSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.lines;
  const field = fieldsOf(draft, onChange);
  const filterField = fieldsOf(draft, onChange, 'lineFilter.');
  const counted = draft.countedLines.map((line) => words.options[line]).join(', ');
  const state = [
    words.summary(counted, draft.include.length + draft.exclude.length),
    ...(draft.minimumOrder === null ? [] : [texts.limits.minimum(formatMoney(draft.minimumOrder, draft.currency))]),
  ].join(', ');
  return (
    <Section title={words.title} state={state} fields={['countedLines', 'lineFilter', 'minimumOrder']} faults={faults}>
      <CheckboxGroup
        label={words.counted}
        {...field('countedLines')}
        options={LINES.map((value) => ({ value, label: words.options[value] }))}
      />
      <Matchers title={words.include} help={words.includeHelp} add={words.add} {...filterField('include')} />
      <Matchers title={words.exclude} add={words.addExclusion} {...filterField('exclude')} />
      <div className={styles.short}>
        <MoneyField
          label={words.minimum}
          {...field('minimumOrder')}
          optional
          currency={draft.currency}
          description={words.minimumHelp}
        />
      </div>
    </Section>
  );
}

type MatchersProps = {
  readonly title: string;
  readonly help?: string;
  readonly add: string;
  readonly name: string;
  readonly value: readonly MatcherDraft[];
  readonly onChange: (matchers: MatcherDraft[]) => void;
};

const BY: readonly MatcherBy[] = ['name', 'externalId', 'type'];

function Matchers({ title, help, add, name, value, onChange }: MatchersProps) {
  const words = texts.lines;
  const change = (key: number, patch: Partial<MatcherDraft>) =>
    onChange(value.map((each) => (each.key === key ? { ...each, ...patch } : each)));
  return (
    <fieldset className={styles.part} aria-label={title}>
      <span className={styles.partTitle} aria-hidden>
        {title}
      </span>
      {help !== undefined && <span className={styles.hint}>{help}</span>}
      {value.map((matcher, at) => (
        <div key={matcher.key} className={styles.row}>
          <div className={styles.fields}>
            <Select
              label={words.byLabel}
              options={BY.map((by) => ({ value: by, label: words.by[by] }))}
              value={matcher.by}
              onChange={(by) => change(matcher.key, { by, value: by === 'type' ? 'product' : '' })}
            />
            {matcher.by === 'type' ? (
              <Select
                label={words.value}
                name={`${name}.${at}`}
                options={LINES.map((line) => ({ value: line, label: words.options[line] }))}
                value={matcher.value as LineType}
                onChange={(line) => change(matcher.key, { value: line })}
              />
            ) : (
              <TextField
                label={words.value}
                name={`${name}.${at}`}
                value={matcher.value}
                onChange={(text) => change(matcher.key, { value: text })}
                placeholder={matcher.by === 'name' ? words.namePlaceholder : undefined}
              />
            )}
          </div>
          <IconButton
            icon={X}
            label={words.remove(matcher.value)}
            onClick={() => onChange(value.filter(({ key }) => key !== matcher.key))}
          />
        </div>
      ))}
      {value.some(({ by }) => by === 'name') && <span className={styles.hint}>{words.nameHelp}</span>}
      <Row>
        <Button size="small" icon={Plus} onClick={() => onChange([...value, { key: newKey(), by: 'name', value: '' }])}>
          {add}
        </Button>
      </Row>
    </fieldset>
  );
}

export const PERIODS = (Object.keys(texts.periods) as Period[]).map((value) => ({
  value,
  label: texts.periods[value],
}));

export function LimitsSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.limits;
  const { capPerOrder, capPerPeriod, currency } = draft;
  const state = [
    ...(capPerOrder === null ? [] : [words.order(formatMoney(capPerOrder, currency))]),
    ...(capPerPeriod === null || capPerPeriod.amount === null
      ? []
      : [words.collaborator(formatMoney(capPerPeriod.amount, currency), texts.periods[capPerPeriod.period])]),
  ].join(', ');
  return (
    <Section title={words.title} state={state || texts.none} fields={['capPerOrder', 'capPerPeriod']} faults={faults}>
      <div className={styles.short}>
        <MoneyField
          label={words.perOrder}
          name="capPerOrder"
          optional
          currency={currency}
          value={capPerOrder}
          onChange={(amount) => onChange({ capPerOrder: amount })}
          description={words.perOrderHelp}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label={words.perPeriod}
          options={[{ value: 'none' as const, label: words.noPeriod }, ...PERIODS]}
          value={capPerPeriod?.period ?? 'none'}
          onChange={(period) =>
            onChange({
              capPerPeriod: period === 'none' ? null : { period, amount: capPerPeriod?.amount ?? null },
            })
          }
        />
        {capPerPeriod !== null && (
          <MoneyField
            label={words.amount}
            name="capPerPeriod.amount"
            currency={currency}
            value={capPerPeriod.amount}
            onChange={(amount) => onChange({ capPerPeriod: { ...capPerPeriod, amount } })}
          />
        )}
      </div>
    </Section>
  );
}
