/**
 * Does work while no other tab does work with the same lock. Browsers have locks only in secure contexts, and refuse them with site
 * data blocked: the work is then done at once.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  let result: Promise<T> | undefined;
  const begin = () => (result ??= work());
  try {
    await locks?.request(name, begin);
  } catch {
    // The failure of the work, or a refusal before it.
  }
  return begin();
}
