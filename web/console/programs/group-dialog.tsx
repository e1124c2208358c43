import type { ProgramGroup } from '@whence/sdk';
import { useProgramChoices } from '../choices.ts';
import { groups as texts } from './groups-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { MultiCombobox } from '#web/ui/form/combobox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

const words = texts.form;

export type GroupDialogProps = {
  /** The id of the group to edit. If it is undefined, the dialog creates a group. */
  readonly groupId?: number;
  readonly name?: string;
  readonly onClose: () => void;
};

export function GroupDialog({ groupId, name, onClose }: GroupDialogProps) {
  const title = name === undefined ? words.newTitle : words.editTitle(name);
  return (
    <Dialog open onClose={onClose} title={title}>
      {groupId === undefined ? <GroupForm onClose={onClose} /> : <Reading groupId={groupId} onClose={onClose} />}
    </Dialog>
  );
}

/** Loads the current version of a program group, because the edit must match its ETag. */
function Reading({ groupId, onClose }: { readonly groupId: number; readonly onClose: () => void }) {
  const { data, error, refetch } = useRead(
    ['programGroups', groupId, 'edit'],
    async (api, options) => {
      const { data: group, etag } = await api.programGroups.get(groupId, options).withResponse();
      return { group, etag };
    },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton lines={5} /> : <GroupForm {...data} onClose={onClose} />;
}

type GroupFormProps = {
  readonly group?: ProgramGroup;
  readonly etag?: string | undefined;
  readonly onClose: () => void;
};

type GroupDraft = Pick<ProgramGroup, 'name' | 'rule'> & { readonly programIds: readonly string[] };

function GroupForm({ group, etag, onClose }: GroupFormProps) {
  const programs = useProgramChoices();
  const [{ name, rule, programIds: members }, field] = useDraft<GroupDraft>({
    name: group?.name ?? '',
    rule: group?.rule ?? 'newest',
    programIds: (group?.programIds ?? []).map(String),
  });
  const save = useCall(
    (api) => {
      const body = { name, rule, programIds: members.map(Number) };
      if (group === undefined) return api.programGroups.create(body);
      return api.programGroups.update(group.id, body, etag === undefined ? {} : { ifMatch: etag });
    },
    {
      reloads: ['programGroups', 'programs'],
      done: group === undefined ? words.created(name) : words.saved(name),
      onDone: onClose,
    },
  );
  return (
    <Form call={save}>
      <TextField label={words.name} {...field('name')} placeholder={words.namePlaceholder} autoFocus />
      <RadioCards
        label={words.rule}
        {...field('rule')}
        options={(['newest', 'oldest'] as const).map((value) => {
          const [label = '', description] = texts.ruleWords[value];
          return { value, label, description };
        })}
      />
      <MultiCombobox label={words.programs} {...field('programIds')} description={words.programsHelp} {...programs} />
      <FormActions submitLabel={group === undefined ? words.create : words.save} onCancel={onClose} />
    </Form>
  );
}
