import { exportPaidYear } from '../commands/export-paid-year.ts';
import type * as contract from '../contract/year-export.ts';
import { YEAR_COLUMNS, yearRow } from '../domain/paid-year.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { HandlersFor } from '#platform/http/handler.ts';
import { answerLongCsv } from '#platform/http/streams.ts';
import { mapSlices } from '#platform/postgres/lists/slices.ts';

export function yearExportHandlers(secrets: SecretBox): HandlersFor<typeof contract> {
  return {
    exportPaidYear: async ({ auth, tenant, body: { year } }) => {
      const { rows, close } = await exportPaidYear(tenant.connection, secrets, auth, year);
      return answerLongCsv(`paid-${year}.csv`, YEAR_COLUMNS, mapSlices(rows, yearRow), close);
    },
  };
}
