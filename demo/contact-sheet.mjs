// One page with all pictures: a row for each screen.

/** @param {string} name */
const words = (name) => name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/**
 * @param {readonly string[]} names of the screens
 * @param {Record<string, { width: number }>} sizes
 * @param {readonly string[]} schemes
 */
export function contactSheet(names, sizes, schemes) {
  const row = (/** @type {string} */ name) => {
    const pictures = Object.entries(sizes).flatMap(([size, { width }]) =>
      schemes.map((scheme) => {
        const file = `${name}-${size}-${scheme}.png`;
        return `<a href="${file}" style="flex: 0 1 ${Math.min(640, width / 2)}px"><img src="${file}" loading="lazy" alt="${words(name)}, ${size}, ${scheme}"></a>`;
      }),
    );
    return `<section id="${name}"><h2>${words(name)}</h2><div>${pictures.join('')}</div></section>`;
  };
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Every screen · HourShare</title>
<style>
  body { margin: 24px; background: #777; color: #fff; font: 15px/1.4 system-ui, sans-serif }
  h1 { font-size: 22px }
  h2 { margin: 28px 0 8px; font-size: 16px }
  nav { columns: 14rem; max-width: 80rem }
  nav a { display: block; color: inherit }
  section div { display: flex; align-items: flex-start; gap: 12px; overflow-x: auto }
  img { display: block; width: 100% }
  section a { min-width: 150px }
</style>
<h1>Every screen</h1>
<nav>${names.map((name) => `<a href="#${name}">${words(name)}</a>`).join('')}</nav>
${names.map(row).join('\n')}
</html>
`;
}
