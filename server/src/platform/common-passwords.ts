let names: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Whether a password, in any case, is one that everybody tries first. The list is read when first needed. */
export async function isCommonPassword(password: string): Promise<boolean> {
  names ??= load();
  return (await names).has(password.toLowerCase());
}
