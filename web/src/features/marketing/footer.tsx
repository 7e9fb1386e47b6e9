import type { ReactNode } from 'react';

// These pages do not exist yet, and their names say so by not being links.
const soon = ['Blog', 'Careers', 'Support', 'Guides'];

export const Footer = ({ brand, links }: { brand: ReactNode; links: ReactNode[] }) => (
  <footer className="mt-20 border-t border-line py-8 text-[14.5px] md:mt-28">
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      {brand}
      <ul role="list" className="flex flex-wrap gap-x-6">
        {links.map((link, index) => (
          <li key={index}>{link}</li>
        ))}
        {soon.map((name) => (
          <li key={name} className="inline-flex min-h-11 items-center text-muted">
            {name}
          </li>
        ))}
      </ul>
    </div>
    <p className="mt-3 text-[13.5px] text-muted">Share what you pay for, split it by the hours each person uses.</p>
  </footer>
);
