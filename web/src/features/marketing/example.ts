import { currentLanguage, isolateAmount } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';

/** Hours that ana used until a visitor moves the slider, what she is allowed, and the most that the slider offers. */
export const ANA_HOURS = { used: 21.5, allowed: 40, max: 60 };

export type ExampleSplit = ReturnType<typeof exampleSplit>;

/**
 * Returns the landing page's worked example, in whole cents and tenths of an hour. An hour costs price ÷ available
 * hours; members pay for what they use and the owner covers the rest. ana's hours are multiples of a tenth; together,
 * members never use more than is available.
 */
export function exampleSplit(anaHours = ANA_HOURS.used) {
  const priceCents = 2299;
  const members = [
    { name: 'ana', usedTenths: Math.round(anaHours * 10), offeredTenths: ANA_HOURS.allowed * 10 },
    { name: 'ben', usedTenths: 80, offeredTenths: 200 },
  ];
  const ownerTenths = 200;
  const offered = members.reduce((sum, member) => sum + member.offeredTenths, ownerTenths);
  const lines = members.map(({ name, usedTenths }) => ({
    name,
    usedHours: usedTenths / 10,
    part: usedTenths / offered,
    cents: Math.round((priceCents * usedTenths) / offered),
  }));
  return {
    // oxlint-disable-next-line hourshare/text-in-catalog -- a brand
    asset: 'Netflix Premium',
    priceCents,
    offeredHours: offered / 10,
    usedHours: lines.reduce((sum, line) => sum + line.usedHours, 0),
    hourCents: Math.round((priceCents * 10) / offered),
    lines,
    memberCents: lines.reduce((sum, line) => sum + line.cents, 0),
    ownerCents: lines.reduce((rest, line) => rest - line.cents, priceCents),
  };
}

// The language alone, not the browser's variant of it, because the page is prerendered.

export const exampleMoney = (cents: number): string =>
  isolateAmount(new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: 'USD' }).format(cents / 100));

export const exampleHours = (value: number): string =>
  t('{hours} h', { hours: new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 }).format(value) });
