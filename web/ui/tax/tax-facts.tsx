import type { TaxDetails } from '@whence/sdk';
import { Time } from '../controls/time.tsx';
import { Facts } from '../shell/page.tsx';
import { countryName } from './country-options.ts';
import { taxWords as texts } from './tax-texts.ts';

/** Shows tax details, whose numbers are masked. */
export function TaxFacts({ details }: { readonly details: TaxDetails }) {
  const { status, firstName, lastName, legalName, country, tin, tinCountry, updatedAt } = details;
  const { street, postalCode, city, region, addressCountry } = details;
  const address = [street, postalCode, city, region, countryName(addressCountry)];
  return (
    <Facts
      items={[
        { label: texts.status, value: texts.statuses[status] },
        { label: texts.name, value: legalName ?? [firstName, lastName].join(' ') },
        { label: texts.country, value: countryName(country) },
        { label: texts.address, value: address.filter((part) => part !== null).join(', ') },
        { label: texts.tin, value: tin && tinCountry && texts.numberOf(tin, countryName(tinCountry)) },
        { label: texts.vatNumber, value: details.vatNumber },
        { label: texts.registrationNumber, value: details.registrationNumber },
        { label: texts.dateOfBirth, value: details.dateOfBirth },
        { label: texts.updatedAt, value: <Time at={updatedAt} as="date" /> },
      ]}
    />
  );
}
