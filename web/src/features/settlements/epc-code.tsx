import encodeQR from 'qr';
import { t } from '../../lib/messages.ts';

/** Blank modules around the code. */
const QUIET_ZONE = 4;

/** A QR code made in the browser. Dark on white in both themes, because many apps can't read the reverse. */
export function EpcCode({ text }: { text: string }) {
  // The standard asks for error correction level M.
  const modules = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE });
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={t('QR code for banking apps')}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className="mx-auto size-44 rounded-control border border-line"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
