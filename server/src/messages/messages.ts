import type { Language } from '@hourshare/contract/users';
import compile from 'icu-minify/compile';
import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ptBR from './pt-BR.json' with { type: 'json' };

/** The texts that the server sends by email; the key is the English text. */
export type Message = keyof typeof de;

const catalogs: Record<Exclude<Language, 'en'>, Record<Message, string>> = { ar, de, es, fr, ja, 'pt-BR': ptBR };

const compiled = new Map<string, CompiledMessage>();

const formatters = {
  getDateTimeFormat: (language: string, options?: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options),
  getNumberFormat: (language: string, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
  getPluralRules: (language: string, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(language, options),
};

/** Returns a message in a language with its values filled in; texts are in ICU syntax. */
export function t(language: Language, message: Message, values: FormatValues<string> = {}): string {
  const text = language === 'en' ? message : catalogs[language][message];
  const known = compiled.get(text) ?? compile(text);
  compiled.set(text, known);
  return String(format(known, language, values, { formatters }));
}
