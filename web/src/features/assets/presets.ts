import type { NextTerms } from '@hourshare/contract/fields';
import { Car, type LucideIcon, MonitorPlay, Shapes, Sparkles, Wrench } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';
import { readNumber } from '../../platform/forms/request-form.ts';
import { hasBaseShare } from '../periods/terms-text.ts';

export type StartTerms = Pick<NextTerms, 'split_method' | 'base_percent' | 'measured' | 'owner_takes_part'>;

/** What the server uses for an asset without terms. */
const defaultTerms: StartTerms = { split_method: 'usage', base_percent: 0, measured: true, owner_takes_part: false };

export type PresetName = 'plain' | 'software' | 'vehicle' | 'tool' | 'other';

interface Preset {
  text: () => string;
  icon: LucideIcon;
  terms: StartTerms;
}

/** Kinds of assets, which only fill in how the price is split. */
export const presets: Record<PresetName, Preset> = {
  plain: {
    text: () => t('Streaming, music, cloud'),
    icon: MonitorPlay,
    terms: { ...defaultTerms, split_method: 'equal', measured: false },
  },
  software: {
    text: () => t('AI or software plan'),
    icon: Sparkles,
    terms: { ...defaultTerms, split_method: 'share_of_use', owner_takes_part: true },
  },
  vehicle: { text: () => t('Car, boat, plane'), icon: Car, terms: { ...defaultTerms, base_percent: 30 } },
  tool: { text: () => t('Tool, room, machine'), icon: Wrench, terms: defaultTerms },
  other: { text: () => t('Something else'), icon: Shapes, terms: defaultTerms },
};

/** A preset and the terms it filled in, as typed since. */
export type TypedTerms = Omit<StartTerms, 'base_percent'> & { preset: PresetName; base_percent: string };

export const typedPreset = (preset: PresetName): TypedTerms => {
  const { terms } = presets[preset];
  return { preset, ...terms, base_percent: String(terms.base_percent) };
};

/** Returns the typed terms. What isn't measured is split evenly, and a method without a base share has none. */
export function readTerms({ split_method, base_percent, measured, owner_takes_part }: TypedTerms): StartTerms {
  if (!measured) return presets.plain.terms;
  const base = hasBaseShare(split_method) ? readNumber(base_percent) : 0;
  return { split_method, base_percent: base, measured, owner_takes_part };
}

/** Returns the terms to send: those that the server wouldn't use anyway. */
export function changedTerms(terms: StartTerms): Partial<StartTerms> {
  const defaults: Record<string, unknown> = defaultTerms;
  return Object.fromEntries(Object.entries(terms).filter(([name, value]) => value !== defaults[name]));
}
