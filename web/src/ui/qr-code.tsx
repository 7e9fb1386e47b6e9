import encodeQR from 'qr';

/** Blank modules around the code. */
const QUIET_ZONE = 4;

/** Returns the code's width in modules, and its dark modules as a path. */
function drawingOf(text: string): { size: number; path: string } {
  // Banks ask for error correction level M.
  const modules = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE });
  const dark = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: modules.length, path: dark.join('') };
}

/** The part of a Swiss QR code's width that its cross takes: 7 of 46 mm, of which 6 are black. */
const CROSS = 7 / 46;

/** A black square with a white cross in the middle of a code of `size` modules, where error correction makes up for it. */
function SwissCross({ size }: { size: number }) {
  const width = (size - 2 * QUIET_ZONE) * CROSS;
  const square = (part: number) => ({ x: (size - width * part) / 2, width: width * part });
  const [edge, black, long, short] = [square(1), square(6 / 7), square(3.9 / 7), square(1.17 / 7)];
  return (
    <g shapeRendering="geometricPrecision">
      <rect x={edge.x} y={edge.x} width={edge.width} height={edge.width} fill="#fff" />
      <rect x={black.x} y={black.x} width={black.width} height={black.width} fill="#000" />
      <rect x={long.x} y={short.x} width={long.width} height={short.width} fill="#fff" />
      <rect x={short.x} y={long.x} width={short.width} height={long.width} fill="#fff" />
    </g>
  );
}

interface QrCodeProps {
  text: string;
  label: string;
  /** Whether it is a Swiss QR code, which has a cross in the middle. */
  isSwiss?: boolean;
}

/** A QR code, black on white in every theme, because some readers can't read inverted ones. Load it lazily. */
export function QrCode({ text, label, isSwiss = false }: QrCodeProps) {
  const { size, path } = drawingOf(text);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="block w-full"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
      {isSwiss && <SwissCross size={size} />}
    </svg>
  );
}

/** Longer captions would be too small to read. */
const CAPTION_MAX_LENGTH = 40;
/** Characters that fit below the smallest code without being squeezed. */
const CAPTION_FITS = 14;

/** Returns a QR code with a caption as an SVG file, 10 cm wide, to print. */
export function qrFile(text: string, caption: string): string {
  const { size, path } = drawingOf(text);
  const characters = Array.from(new Intl.Segmenter().segment(caption), ({ segment }) => segment);
  const shown =
    characters.length > CAPTION_MAX_LENGTH ? `${characters.slice(0, CAPTION_MAX_LENGTH - 1).join('')}…` : caption;
  const escaped = shown.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const height = size + 3;
  const squeezed =
    shown.length > CAPTION_FITS ? ` textLength="${size - 2 * QUIET_ZONE}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="${(100 * height) / size}mm" viewBox="0 0 ${size} ${height}">
<title>${escaped}</title>
<rect width="${size}" height="${height}" fill="#fff"/>
<path d="${path}" fill="#000" shape-rendering="crispEdges"/>
<text x="${size / 2}" y="${size}" font-family="sans-serif" font-size="3" text-anchor="middle"${squeezed}>${escaped}</text>
</svg>
`;
}
