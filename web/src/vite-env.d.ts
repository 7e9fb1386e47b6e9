/** What web/vite.config.ts puts in; missing in development and in tests. */
declare const BASE_MESSAGES: Record<string, import('icu-minify/format').CompiledMessage>;
/** The catalogs' address, up to the language. */
declare const CATALOGS: string;
