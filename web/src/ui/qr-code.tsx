import encodeQR from 'qr';

/** Blank modules around the code. */
const QUIET_ZONE = 4;

/** A QR code, black on white in every theme, because not all readers know inverted ones. Load it lazily. */
export function QrCode({ text, label }: { text: string; label: string }) {
  // Banks ask for error correction level M.
  const modules = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE });
  const dark = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className="block w-full"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
