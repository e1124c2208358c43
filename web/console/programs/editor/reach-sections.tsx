import { Plus } from 'lucide-react';
import { useState } from 'react';
import { programEditor as texts } from './program-editor-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import type { TriggerDraft } from './draft.ts';
import styles from './editor.module.css';
import { Section } from './section.tsx';
import type { SectionTermsProps } from './sold-sections.tsx';

const COMMON = ['site-visit', 'coupon-applied'];
/** The maximum number of custom events, and of program groups, to choose from. */
const MOST = 100;

function useCustomEvents() {
  return useRead(
    ['customEvents', 'all'],
    async (api, options) => (await api.customEvents.list({ perPage: MOST, sort: 'slug' }, options).page()).data,
  );
}

/** Edits which visits, coupons and custom events count, and their points. */
export function TriggersSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.triggers;
  const { data: events = [] } = useCustomEvents();
  const { triggers } = draft;
  const names = [...COMMON, ...triggers.map(({ name }) => name).filter((name) => !COMMON.includes(name))];
  const left = events.filter(({ slug }) => !names.includes(slug));
  const set = (name: string, on: boolean) =>
    onChange({
      triggers: on ? [...triggers, { name, points: 1 }] : triggers.filter((trigger) => trigger.name !== name),
    });
  const points = (name: string, value: number | null) =>
    onChange({ triggers: triggers.map((each) => (each.name === name ? { ...each, points: value } : each)) });
  return (
    <Section
      title={words.title}
      state={words.summary(triggers.map(({ name }) => triggerName(name)))}
      fields={['triggers']}
      faults={faults}
    >
      <p className={styles.hint}>{words.help}</p>
      <div className={styles.rows}>
        {names.map((name) => (
          <Trigger
            key={name}
            name={name}
            trigger={triggers.find((each) => each.name === name)}
            onSet={(on) => set(name, on)}
            onPoints={(value) => points(name, value)}
          />
        ))}
      </div>
      {left.length > 0 && (
        <div className={styles.short}>
          <Select
            label={words.add}
            placeholder={words.choose}
            options={left.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` }))}
            value={null}
            onChange={(slug) => set(slug, true)}
          />
        </div>
      )}
    </Section>
  );
}

export function triggerName(name: string): string {
  return texts.triggers.names[name] ?? texts.triggers.event(name);
}

type TriggerProps = {
  readonly name: string;
  readonly trigger: TriggerDraft | undefined;
  readonly onSet: (on: boolean) => void;
  readonly onPoints: (points: number | null) => void;
};

function Trigger({ name, trigger, onSet, onPoints }: TriggerProps) {
  const words = texts.triggers;
  return (
    <Row justify="spread" align="center" gap={3}>
      <Checkbox label={triggerName(name)} checked={trigger !== undefined} onChange={onSet} />
      {trigger !== undefined && (
        <div className={styles.points}>
          <NumberField
            label={words.pointsOf(triggerName(name))}
            hideLabel
            name={`/triggers/${name}`}
            suffix={words.points}
            min={1}
            value={trigger.points}
            onChange={onPoints}
          />
        </div>
      )}
    </Row>
  );
}

/**
 * Shows the triggers of the program that are unregistered custom events, each with a button that registers it. A recipe
 * may use such events.
 */
export function MissingEvents({
  triggers,
  titles,
}: {
  readonly triggers: readonly TriggerDraft[];
  readonly titles: ReadonlyMap<string, string>;
}) {
  const { data: events } = useCustomEvents();
  const [registered, setRegistered] = useState<readonly string[]>([]);
  const register = useCall((api, slug: string) => api.customEvents.create({ slug, name: titles.get(slug) ?? slug }), {
    reloads: ['customEvents', ['programs', 'example']],
    onDone: (_, slug) => setRegistered((before) => [...before, slug]),
    onError: toast.error,
  });
  if (events === undefined) return null;
  const known = new Set([...COMMON, ...registered, ...events.map(({ slug }) => slug)]);
  return triggers
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => (
      <Notice
        key={name}
        tone="warn"
        title={texts.triggers.unknown(name)}
        actions={
          <Button size="small" icon={Plus} busy={register.isPending} onClick={() => register.mutate(name)}>
            {texts.triggers.register(name)}
          </Button>
        }
      >
        {texts.triggers.unknownHelp}
      </Notice>
    ));
}

const NO_GROUP = 'none';

/** Edits the group of the program. Except for manual credits, only one program of a group pays for a sale. */
export function GroupSection({ draft, onChange, faults }: SectionTermsProps) {
  const words = texts.group;
  const { data: groups = [] } = useRead(
    ['programGroups', 'all'],
    async (api, options) => (await api.programGroups.list({ perPage: MOST, sort: 'name' }, options).page()).data,
  );
  const options = groups.map(({ id, name }) => ({ value: String(id), label: name }));
  const chosen = options.find(({ value }) => value === draft.groupId)?.label;
  return (
    <Section title={words.title} state={chosen ?? texts.none} fields={['groupId']} faults={faults}>
      <p className={styles.hint}>{words.help}</p>
      <div className={styles.short}>
        <Select
          label={words.label}
          name="groupId"
          options={[{ value: NO_GROUP, label: words.none }, ...options]}
          value={draft.groupId ?? NO_GROUP}
          onChange={(groupId) => onChange({ groupId: groupId === NO_GROUP ? null : groupId })}
        />
      </div>
    </Section>
  );
}
