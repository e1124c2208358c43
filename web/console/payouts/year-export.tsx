import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { dayOf, getPageZone } from '#web/ui/formats/time.ts';
import { Select } from '#web/ui/form/select.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
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
  const [latest] = useState(() => Number(dayOf(Date.now()).slice(0, 4)));
  const [{ year }, field] = useDraft({ year: String(latest) });
  const exportPaidYear = useCall((api) => api.payouts.exportPaidYear({ year: Number(year) }), {
    done: texts.downloaded(year),
    onDone: (content) => {
      download(new Blob([content], { type: 'text/csv' }), `paid-${year}.csv`);
      onClose();
    },
  });
  const years = Array.from({ length: OFFERED }, (_, before) => String(latest - before));
  return (
    <Form call={exportPaidYear}>
      <Select
        label={texts.year}
        {...field('year')}
        description={texts.yearHelp(getPageZone())}
        options={years.map((value) => ({ value, label: value }))}
      />
      <FormActions submitLabel={texts.download} onCancel={onClose} />
    </Form>
  );
}
