// The nouns that name folders everywhere, from the bottom up: each may use those before it. The import check enforces
// the order, the structure check the names. CommonJS, because dependency-cruiser's configuration is.

module.exports = [
  'outbox',
  'accounts',
  'assets',
  'periods',
  'shares',
  'usage',
  'sessions',
  'analytics',
  'statements',
  'settlements',
  'insights',
  'notifications',
  'exports',
  'backups',
];
