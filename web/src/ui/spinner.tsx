interface SpinnerProps {
  /** What is loading; for screen readers only. */
  label: string;
  size?: number;
  className?: string;
}

export function Spinner({ label, size = 20, className = '' }: SpinnerProps) {
  return (
    <span role="status" className={`inline-flex items-center ${className}`}>
      <svg aria-hidden width={size} height={size} viewBox="0 0 20 20" fill="none" className="animate-spin">
        <circle cx="10" cy="10" r="8" stroke="var(--calm)" strokeWidth="3" />
        <path d="M10 2a8 8 0 0 1 8 8" stroke="var(--accent)" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <span className="sr-only">{label}</span>
    </span>
  );
}
