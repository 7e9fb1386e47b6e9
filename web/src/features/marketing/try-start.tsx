import { useEffect, useState } from 'react';
import { RoundSessionButton } from '../../ui/session-button.tsx';
import { ServiceTile } from '../../ui/service-tile.tsx';

/** 65 → "0:01:05". The app's own clock would take the landing page over its budget. */
const clockText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(12, 19);

/** The app's control of a session, which a visitor can press. Without scripts it's hidden. */
export function TryStart({ asset }: { asset: string }) {
  const [isRunning, setRunning] = useState(false);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = () => {
    setSeconds(0);
    setRunning(true);
  };
  return (
    <div
      className={`mt-5 flex items-center gap-3 rounded-tile p-3 transition-colors print:hidden noscript:hidden ${isRunning ? 'bg-live-soft' : 'bg-sunken'}`}
    >
      <ServiceTile mark="netflix" />
      <div className="min-w-0 flex-1">
        <p id="try-start" className="font-semibold">
          {asset}
        </p>
        <p
          role={isRunning ? 'timer' : undefined}
          className={`figures ${isRunning ? 'font-semibold text-live-text' : 'text-muted'}`}
        >
          {clockText(seconds)}
        </p>
      </div>
      <RoundSessionButton
        running={isRunning}
        session={{ busy: false, start, end: () => setRunning(false) }}
        aria-describedby="try-start"
      />
    </div>
  );
}
