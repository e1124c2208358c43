import { useMutation } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { dayOf, getPageZone } from '#web/ui/formats/time.ts';
import { Select } from '#web/ui/form/select.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { download } from '#web/ui/table/download.ts';
import type { DialogButtonProps } from './import-results.tsx';
import { yearExport as texts } from './year-export-texts.ts';

/** The number of years that the dialog offers. The API exports any year. */
const OFFERED = 10;

/** Downloads the amounts that were paid to each partner in a year, with tax details. */
export function YearExportButton({ isOpen, onOpenChange }: DialogButtonProps) {
  const close = (): void => onOpenChange(false);
  return (
    <>
      <Button icon={FileSpreadsheet} onClick={() => onOpenChange(true)}>
        {texts.button}
      </Button>
      <Dialog open={isOpen} onClose={close} title={texts.title} description={texts.description}>
        {isOpen && <Export onClose={close} />}
      </Dialog>
    </>
  );
}

function Export({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const [latest] = useState(() => Number(dayOf(Date.now()).slice(0, 4)));
  const [year, setYear] = useState(String(latest));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.payouts.exportPaidYear({ year: Number(year) }),
    onSuccess: (content) => {
      download(new Blob([content], { type: 'text/csv' }), `paid-${year}.csv`);
      toast.success(texts.downloaded(year));
      onClose();
    },
  });
  const years = Array.from({ length: OFFERED }, (_, before) => String(latest - before));
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <Select
        label={texts.year}
        name="year"
        description={texts.yearHelp(getPageZone())}
        options={years.map((value) => ({ value, label: value }))}
        value={year}
        onChange={setYear}
      />
      <FormActions submitLabel={texts.download} busy={isPending} onCancel={onClose} />
    </Form>
  );
}
