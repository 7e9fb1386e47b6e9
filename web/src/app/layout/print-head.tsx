import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Wordmark } from '../../ui/brand.tsx';

/** At the top of a printed page, and nowhere else: whose page it is, and of which day. */
export function PrintHead() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    // The page may have been open for days. What is printed is what stands there when this returns.
    const note = () => flushSync(() => setNow(new Date()));
    window.addEventListener('beforeprint', note);
    return () => window.removeEventListener('beforeprint', note);
  }, []);
  return (
    <div className="print-head hidden print:flex">
      <p className="font-display font-bold">
        <Wordmark />
      </p>
      <p className="text-muted">
        Printed on {now.toLocaleDateString(undefined, { year: 'numeric', month: 'long', day: 'numeric' })}
      </p>
    </div>
  );
}
