import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useCollaboratorChoices } from './choices.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useCall } from '#web/ui/shell/call.ts';

type Partner = { readonly id: string; readonly name: string };

type AddPartnerProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly submitLabel: string;
  readonly className: string | undefined;
  readonly onAdd: (id: number, name: string) => Promise<void>;
};

/** Shows a form that adds a partner to a list. The user finds the partner by typing. */
export function AddPartner({ label, placeholder, submitLabel, className, onAdd }: AddPartnerProps) {
  const choices = useCollaboratorChoices();
  const [chosen, setChosen] = useState<Partner | null>(null);
  const add = useCall((_, { id, name }: Partner) => onAdd(Number(id), name), {
    onDone: () => setChosen(null),
    onError: toast.error,
  });
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null) add.mutate(chosen);
      }}
    >
      <Combobox
        label={label}
        placeholder={placeholder}
        value={chosen?.id ?? null}
        onChange={(id, option) => setChosen(id === null ? null : { id, name: option?.label ?? id })}
        {...choices}
      />
      <Button type="submit" icon={UserPlus} disabled={chosen === null} busy={add.isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}
