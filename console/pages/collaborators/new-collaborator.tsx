import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { useLinks } from '#ui/links.ts';
import { useApi } from '#ui/shell/api.tsx';
import { TextField } from '#ui/text-field.tsx';
import { toast } from '#ui/toast.tsx';
import { InviteField, sendInvitation } from './invite-field.tsx';

const words = texts.form;

/** Adds somebody, with the code of their link, and invites them if one likes. */
export function NewCollaborator({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useLinks();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [link, setLink] = useState('');
  const [coupon, setCoupon] = useState('');
  const [invite, setInvite] = useState(false);
  const aliases = [
    ...(link.trim() === '' ? [] : [{ type: 'tracking', code: link.trim() }]),
    ...(coupon.trim() === '' ? [] : [{ type: 'coupon', code: coupon.trim() }]),
  ];
  const create = useMutation({
    mutationFn: () => api.collaborators.create({ name, ...(email === '' ? {} : { email }), aliases }),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
      navigate(`/collaborators/${made.id}`);
      if (invite && made.email !== null) await sendInvitation(api, made);
      else toast.success(words.created(name));
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.newTitle}>
      <Form onSubmit={() => create.mutate()} error={create.error ?? undefined}>
        <TextField label={words.name} name="name" value={name} onChange={setName} autoFocus autoComplete="off" />
        <TextField
          label={words.email}
          name="email"
          type="email"
          optional
          value={email}
          onChange={setEmail}
          description={words.emailHelp}
          autoComplete="off"
        />
        <TextField
          label={words.link}
          name="aliases.0"
          optional
          mono
          value={link}
          onChange={setLink}
          description={words.linkHelp}
          autoComplete="off"
        />
        <TextField
          label={words.coupon}
          name={link.trim() === '' ? 'aliases.0' : 'aliases.1'}
          optional
          mono
          value={coupon}
          onChange={setCoupon}
          description={words.couponHelp}
          autoComplete="off"
        />
        <InviteField email={email} checked={invite} onChange={setInvite} />
        <FormActions submitLabel={words.create} busy={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
