import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreateInvitationLinkBody, Program } from '@whence/sdk';
import { useState } from 'react';
import { invitations as texts } from './invitation-texts.ts';
import { rewardBody, type RewardDraft, rewardDraft } from '../programs/editor/draft.ts';
import { RewardFields } from '../programs/editor/reward-fields.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { endOf } from '#web/ui/formats/time.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

type NewInvitationLinkProps = { readonly program: Program; readonly onClose: () => void };

/** Creates an invitation link for a program. */
export function NewInvitationLink({ program, onClose }: NewInvitationLinkProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [tags, setTags] = useState('');
  const [maxUses, setMaxUses] = useState<number | null>(null);
  const [end, setEnd] = useState('');
  const [rate, setRate] = useState<RewardDraft>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.invitationLinks.create({
        programId: program.id,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        tags: tags.split(',').filter((tag) => tag.trim() !== ''),
        ...(maxUses === null ? {} : { maxUses }),
        ...(rate === undefined ? {} : { reward: rewardBody(rate) as CreateInvitationLinkBody['reward'] }),
        ...(end === '' ? {} : { expiresAt: endOf(end) }),
      }),
    onSuccess: async () => {
      onClose();
      toast.success(texts.made);
      await queries.invalidateQueries({ queryKey: ['invitationLinks'] });
    },
  });
  return (
    <Dialog open onClose={onClose} title={texts.make}>
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label={texts.note}
          name="note"
          description={texts.noteHelp}
          optional
          maxLength={255}
          value={note}
          onChange={setNote}
        />
        <TextField
          label={texts.tags}
          name="tags"
          description={texts.tagsHelp}
          optional
          value={tags}
          onChange={setTags}
        />
        <Checkbox
          label={texts.customRate}
          description={texts.customRateHelp}
          checked={rate !== undefined}
          onChange={(custom) => setRate(custom ? rewardDraft(program.reward) : undefined)}
        />
        {rate !== undefined && (
          <RewardFields name="reward" currency={program.currency} value={rate} onChange={setRate} />
        )}
        <NumberField label={texts.maxUses} name="maxUses" optional min={1} value={maxUses} onChange={setMaxUses} />
        <TextField
          label={texts.expires}
          name="expiresAt"
          description={texts.expiresHelp}
          optional
          type="date"
          value={end}
          onChange={setEnd}
        />
        <FormActions submitLabel={texts.submit} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
