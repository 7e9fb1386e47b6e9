import { currentLanguage } from '../../lib/language.ts';
import { t } from '../../lib/messages.ts';

/**
 * Returns the landing page's worked example, in whole cents and tenths of an hour. An hour costs price ÷ available
 * hours; members pay for what they use and the owner covers the rest.
 */
export function exampleSplit() {
  const priceCents = 2299;
  const members = [
    { name: 'ana', usedTenths: 215, offeredTenths: 400 },
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
    usedPart: lines.reduce((sum, line) => sum + line.part, 0),
  };
}

// The language alone, not the browser's variant of it, because the page is prerendered.

export const exampleMoney = (cents: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: 'USD' }).format(cents / 100);

export const exampleHours = (value: number): string =>
  t('{hours} h', { hours: new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 }).format(value) });
