/** Calls back when the colours change: the system's scheme, or the page's own choice in data-theme. */
export function watchTheme(changed: () => void): () => void {
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', changed);
  const choice = new MutationObserver(changed);
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    scheme.removeEventListener('change', changed);
    choice.disconnect();
  };
}
