import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Button } from '#ui/button.tsx';
import { Form } from '#ui/form.tsx';
import { Select } from '#ui/select.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { TextField } from '#ui/text-field.tsx';
import { toast } from '#ui/toast.tsx';
import styles from './collaborators.module.css';

const words = texts.aliases;

const OTHER = 'other';

/** A further link, coupon or code of a kind of one's own. */
export function AddAlias({ collaboratorId }: { readonly collaboratorId: number }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState('tracking');
  const [other, setOther] = useState('');
  const type = chosen === OTHER ? other.trim() : chosen;
  const add = useMutation({
    mutationFn: () => api.collaborators.createAlias(collaboratorId, { type, code: code.trim() }),
    onSuccess: async (alias) => {
      setCode('');
      await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
      toast.success(words.added(alias.code));
    },
  });
  return (
    <Form onSubmit={() => add.mutate()} error={add.error ?? undefined}>
      {chosen === OTHER && (
        <TextField label={words.otherTypeName} name="type" value={other} onChange={setOther} mono autoComplete="off" />
      )}
      <div className={styles.add}>
        <Select
          label={words.type}
          options={[...words.kinds, { value: OTHER, label: words.otherType }]}
          value={chosen}
          onChange={setChosen}
        />
        <TextField label={words.addCode} name="code" value={code} onChange={setCode} mono autoComplete="off" />
        <Button type="submit" icon={Plus} busy={add.isPending} disabled={code.trim() === ''}>
          {words.add}
        </Button>
      </div>
    </Form>
  );
}
