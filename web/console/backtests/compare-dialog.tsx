import type { Backtest, CreateProgramBody } from '@whence/sdk';
import { useState } from 'react';
import { lastThirtyDays } from '../last-days.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { addDays, type Period } from '#web/ui/formats/time.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { backtests as texts } from './backtests-texts.ts';

const words = texts.compare;

/** The maximum length of the period in days, as in the API. */
const MAX_DAYS = 1_096;
/** The maximum number of drafts of a backtest, as in the API. */
const MAX_DRAFTS = 5;

export type CompareProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Null for a program that doesn't exist yet. */
  readonly programId: number | null;
  readonly terms: CreateProgramBody;
  /** The backtest from which the draft was opened. Its last four drafts can be compared with the new draft. */
  readonly earlier?: Backtest | undefined;
  /** Called with the queued backtest. */
  readonly onStarted: (backtest: Backtest) => void;
};

/** Starts a backtest of the edited terms. It is a form, so it must be outside of the editor's form. */
export function CompareDialog(props: CompareProps) {
  const { open, onClose } = props;
  return (
    <Dialog open={open} onClose={onClose} title={words.title} description={words.description}>
      {open && <Compare {...props} />}
    </Dialog>
  );
}

function Compare({ programId, terms, earlier, onStarted, onClose }: CompareProps) {
  const [period, setPeriod] = useState(() => (earlier === undefined ? lastNinetyDays() : periodOf(earlier)));
  const [name, setName] = useState('');
  const [isBeside, setBeside] = useState(true);
  const others = (earlier?.drafts ?? []).slice(-(MAX_DRAFTS - 1));
  const start = useCall(
    (api) => {
      const own = { terms, ...(name.trim() === '' ? {} : { name: name.trim() }) };
      const kept = isBeside
        ? others.map(({ name, terms, collaboratorIds }) => {
            // A null of the response means the recorded enrollments, as an absent field of the request does.
            return { name, terms, ...(collaboratorIds === null ? {} : { collaboratorIds }) };
          })
        : [];
      const unnamed = { ...own, name: own.name ?? `${texts.draft} ${kept.length + 1}` };
      const body = { ...period, drafts: [...kept, unnamed] } as never;
      return programId === null ? api.backtests.create(body) : api.programs.backtest(programId, body);
    },
    { onDone: onStarted },
  );
  return (
    <Form onSubmit={() => start.mutate()} error={start.error}>
      <Stack gap={1} align="start">
        <Text as="p">{words.period}</Text>
        <PeriodPicker value={period} onChange={setPeriod} maxDays={MAX_DAYS} />
        <Text as="p" size="small" tone="muted">
          {words.periodHelp}
        </Text>
      </Stack>
      <TextField
        label={words.name}
        name="name"
        description={words.nameHelp}
        value={name}
        onChange={setName}
        maxLength={60}
      />
      {others.length > 0 && (
        <Checkbox
          label={words.others(others.map((draft) => draft.name).join(', '))}
          checked={isBeside}
          onChange={setBeside}
        />
      )}
      <FormActions submitLabel={words.start} busy={start.isPending} onCancel={onClose} />
    </Form>
  );
}

function lastNinetyDays(): Period {
  const { until } = lastThirtyDays();
  return { from: addDays(until, -90), until };
}

function periodOf({ from, until }: Backtest): Period {
  return { from, until };
}
